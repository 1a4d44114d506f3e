import type { AppState } from '@homeport/contract/apps/health';
import { describe, expect, it } from 'vitest';
import { filterApps, noFilter, summaryOf } from './filter-apps.ts';

const app = (name: string, over: object = {}) => ({
  name,
  longname: `${name}-abc123`,
  serverId: 'lantern',
  domains: [`${name}.example`],
  state: { kind: 'running' } as AppState,
  ...over,
});
const stateOf = ({ state }: { state: AppState }) => state;

const apps = [
  app('ledger'),
  app('postbox', { state: { kind: 'paused' }, domains: ['mail.northquay.example'] }),
  app('atlas', { serverId: 'skerry', state: { kind: 'undeployed' } }),
];
const names = (filter: Partial<typeof noFilter>) =>
  filterApps(apps, stateOf, { ...noFilter, ...filter }).apps.map(({ name }) => name);

describe('the filter of apps', () => {
  it('finds words in names and domains, in any case', () => {
    expect(names({ words: ' LEDG ' })).toEqual(['ledger']);
    expect(names({ words: 'northquay' })).toEqual(['postbox']);
    expect(names({ words: 'atlas-abc' })).toEqual(['atlas']);
  });
  it('keeps to a status and to a server', () => {
    expect(names({ status: 'paused' })).toEqual(['postbox']);
    expect(names({ serverId: 'skerry' })).toEqual(['atlas']);
    expect(names({ serverId: 'skerry', status: 'paused' })).toEqual([]);
  });
  it('counts each status under the other filters, so that a segment announces its rows', () => {
    expect(filterApps(apps, stateOf, { words: '', status: 'paused', serverId: 'lantern' }).counts).toEqual({
      all: 2,
      running: 1,
      crashed: 0,
      paused: 1,
      undeployed: 0,
      missing: 0,
    });
  });
});

describe('the summary', () => {
  it('names apps that wait for their first deploy only if there are any', () => {
    expect(summaryOf(apps, stateOf)).toBe('1 running, 1 paused, 1 not deployed yet, on 2 servers.');
    expect(summaryOf(apps.slice(0, 1), stateOf)).toBe('1 running, 0 paused, on 1 server.');
  });
  it('counts what crashed, and takes an app without reports for a running one', () => {
    const others = [
      app('quay', { state: { kind: 'crashed' } }),
      app('sail', { state: { kind: 'silent', since: 1 } }),
    ];
    expect(summaryOf(others, stateOf)).toBe('1 running, 1 crashed, 0 paused, on 1 server.');
    const gone = app('gull', { state: { kind: 'missing', since: 1 } });
    expect(summaryOf([...others, gone], stateOf)).toBe(
      '1 running, 1 crashed, 0 paused, 1 gone from its server, on 1 server.',
    );
    expect(filterApps([...others, gone], stateOf, { ...noFilter, status: 'missing' }).apps).toEqual([gone]);
  });
});
