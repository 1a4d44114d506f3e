import type { DatabaseStatus } from '@homeport/contract/databases/health';
import { describe, expect, it } from 'vitest';
import { filterDatabases, noFilter, summaryOf } from './filter-databases.ts';

const database = (name: string, over: object = {}) => ({
  name,
  longname: `${name}-abc123`,
  type: 'postgres' as const,
  serverId: 'lantern',
  status: 'online' as DatabaseStatus,
  ...over,
});
const statusOf = ({ status }: { status: DatabaseStatus }) => status;
const databases = [
  database('ledger'),
  database('sessions', { type: 'redis', status: 'paused' }),
  database('atlas', { serverId: 'skerry', status: 'missing' }),
];
const names = (filter: Partial<typeof noFilter>) =>
  filterDatabases(databases, statusOf, { ...noFilter, ...filter }).databases.map(({ name }) => name);

describe('the filter of databases', () => {
  it('finds words in both names, in any case', () => {
    expect(names({ words: ' LEDG ' })).toEqual(['ledger']);
    expect(names({ words: 'atlas-abc' })).toEqual(['atlas']);
  });

  it('keeps to a status, a type and a server', () => {
    expect(names({ status: 'paused' })).toEqual(['sessions']);
    expect(names({ status: 'other' })).toEqual(['atlas']);
    expect(names({ type: 'redis' })).toEqual(['sessions']);
    expect(names({ serverId: 'skerry' })).toEqual(['atlas']);
    expect(names({ serverId: 'skerry', type: 'redis' })).toEqual([]);
  });

  it('counts each status under the other filters, so that a segment announces its rows', () => {
    const filter = { ...noFilter, status: 'paused', serverId: 'lantern' } as const;
    expect(filterDatabases(databases, statusOf, filter).counts).toEqual({
      all: 2,
      online: 1,
      paused: 1,
      other: 0,
    });
  });
});

describe('the summary', () => {
  it('names databases in another state only if there are any', () => {
    expect(summaryOf(databases, statusOf)).toBe('1 online, 1 paused, 1 in another state, on 2 servers.');
    expect(summaryOf(databases.slice(0, 1), statusOf)).toBe('1 online, 0 paused, on 1 server.');
  });
});
