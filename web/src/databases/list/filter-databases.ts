import type { DatabaseStatus } from '@homeport/contract/databases/health';
import type { Database } from '@homeport/contract/databases/schema';

/** `other`: neither Online nor Paused. */
export type StatusGroup = 'online' | 'paused' | 'other';

export interface DatabaseFilter {
  /** Searched in the name and the name on the server. Upper and lower case are equal. */
  words: string;
  status: StatusGroup | 'all';
  type: Database['type'] | 'all';
  serverId: string | 'all';
}

export const noFilter: DatabaseFilter = { words: '', status: 'all', type: 'all', serverId: 'all' };

type Filterable = Pick<Database, 'name' | 'longname' | 'type' | 'serverId'>;
type StatusOf<D> = (database: D) => DatabaseStatus;

export interface FilteredDatabases<D> {
  databases: D[];
  /** The number of databases in each group. The other filters stay in force. */
  counts: Record<DatabaseFilter['status'], number>;
}

export function filterDatabases<D extends Filterable>(
  databases: readonly D[],
  statusOf: StatusOf<D>,
  { words, status, type, serverId }: DatabaseFilter,
): FilteredDatabases<D> {
  const wanted = words.trim().toLowerCase();
  const counts: FilteredDatabases<D>['counts'] = { all: 0, online: 0, paused: 0, other: 0 };
  const kept = databases.filter((database) => {
    if (serverId !== 'all' && database.serverId !== serverId) return false;
    if (type !== 'all' && database.type !== type) return false;
    if (![database.name, database.longname].some((text) => text.toLowerCase().includes(wanted))) return false;
    const own = groupOf(statusOf(database));
    counts.all += 1;
    counts[own] += 1;
    return status === 'all' || status === own;
  });
  return { databases: kept, counts };
}

const groupOf = (status: DatabaseStatus): StatusGroup =>
  status === 'online' || status === 'paused' ? status : 'other';

/** "3 online", "1 paused", "2 in another state". The groups in `always` are listed even when their count is 0. */
export function countsInWords<D extends Filterable>(
  databases: readonly D[],
  statusOf: StatusOf<D>,
  always: readonly StatusGroup[],
): string[] {
  const { counts } = filterDatabases(databases, statusOf, noFilter);
  return (['online', 'paused', 'other'] as const)
    .filter((group) => counts[group] > 0 || always.includes(group))
    .map((group) => (group === 'other' ? `${counts.other} in another state` : `${counts[group]} ${group}`));
}

/** "3 online, 1 paused, on 2 servers." */
export function summaryOf<D extends Filterable>(databases: readonly D[], statusOf: StatusOf<D>): string {
  const servers = new Set(databases.map(({ serverId }) => serverId)).size;
  const parts = countsInWords(databases, statusOf, ['online', 'paused']);
  return `${parts.join(', ')}, on ${servers} ${servers === 1 ? 'server' : 'servers'}.`;
}
