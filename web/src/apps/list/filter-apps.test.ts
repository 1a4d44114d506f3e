import { describe, expect, it } from 'vitest';
import { filterApps, noFilter, summaryOf } from './filter-apps.ts';

const app = (name: string, over: object = {}) => ({
  name,
  longname: `${name}-abc123`,
  serverId: 'lantern',
  domains: [`${name}.example`],
  stopped: false,
  deployment: { status: 'succeeded' as const, at: 1 },
  ...over,
});

const apps = [
  app('ledger'),
  app('postbox', { stopped: true, domains: ['mail.northquay.example'] }),
  app('atlas', { serverId: 'skerry', deployment: { status: 'never', at: null } }),
];
const names = (filter: Partial<typeof noFilter>) =>
  filterApps(apps, { ...noFilter, ...filter }).apps.map(({ name }) => name);

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
    expect(filterApps(apps, { words: '', status: 'paused', serverId: 'lantern' }).counts).toEqual({
      all: 2,
      running: 1,
      paused: 1,
      undeployed: 0,
    });
  });
});

describe('the summary', () => {
  it('names apps that wait for their first deploy only if there are any', () => {
    expect(summaryOf(apps)).toBe('1 running, 1 paused, 1 not deployed yet, on 2 servers.');
    expect(summaryOf(apps.slice(0, 1))).toBe('1 running, 0 paused, on 1 server.');
  });
});
