import type { AppState, AppStateKind } from '@homeport/contract/apps/health';
import type { App } from '@homeport/contract/apps/schema';

/** The filter Running includes the silent apps, which have no recent report. No filter but All shows an unread app. */
export type AppStatus = Exclude<AppStateKind, 'silent' | 'unread'>;

export interface AppFilter {
  /** Searched in the name, the name on the server and every domain. Upper and lower case are equal. */
  words: string;
  status: AppStatus | 'all';
  serverId: string | 'all';
}

export const noFilter: AppFilter = { words: '', status: 'all', serverId: 'all' };

type Filterable = Pick<App, 'name' | 'longname' | 'domains' | 'serverId'>;
type StateOf<A> = (app: A) => AppState;

const statusOf = ({ kind }: AppState): AppStatus | null =>
  kind === 'silent' ? 'running' : kind === 'unread' ? null : kind;

export interface FilteredApps<A> {
  apps: A[];
  /** The number of apps in each status. The other filters stay in force. */
  counts: Record<AppFilter['status'], number>;
}

export function filterApps<A extends Filterable>(
  apps: readonly A[],
  stateOf: StateOf<A>,
  { words, status, serverId }: AppFilter,
): FilteredApps<A> {
  const wanted = words.trim().toLowerCase();
  const counts: FilteredApps<A>['counts'] = {
    ...{ all: 0, running: 0, crashed: 0, paused: 0, undeployed: 0, missing: 0 },
  };
  const kept = apps.filter((app) => {
    if (serverId !== 'all' && app.serverId !== serverId) return false;
    if (![app.name, app.longname, ...app.domains].some((text) => text.toLowerCase().includes(wanted)))
      return false;
    const own = statusOf(stateOf(app));
    counts.all += 1;
    if (own !== null) counts[own] += 1;
    return status === 'all' || status === own;
  });
  return { apps: kept, counts };
}

/** "10 running", "1 crashed", "1 paused". The statuses in `always` are listed even when their count is 0. */
export function countsInWords<A extends Filterable>(
  apps: readonly A[],
  stateOf: StateOf<A>,
  always: readonly AppStatus[],
): string[] {
  const { counts } = filterApps(apps, stateOf, noFilter);
  return (['running', 'crashed', 'paused', 'undeployed', 'missing'] as const)
    .filter((status) => counts[status] > 0 || always.includes(status))
    .map((status) => `${counts[status]} ${inSummary[status] ?? status}`);
}

const inSummary: Partial<Record<AppStatus, string>> = {
  undeployed: 'not deployed yet',
  missing: 'gone from its server',
};

/** "10 running, 1 paused, on 3 servers." */
export function summaryOf<A extends Filterable>(apps: readonly A[], stateOf: StateOf<A>): string {
  const servers = new Set(apps.map((app) => app.serverId)).size;
  const parts = countsInWords(apps, stateOf, ['running', 'paused']);
  return `${parts.join(', ')}, on ${servers} ${servers === 1 ? 'server' : 'servers'}.`;
}
