import type { App } from '@homeport/contract/apps/schema';
import { type AppStatus, appStatus } from '../app-status.ts';

export interface AppFilter {
  /** Looked for in the name, the name on the server and every domain, without regard to case. */
  words: string;
  status: AppStatus | 'all';
  serverId: string | 'all';
}

export const noFilter: AppFilter = { words: '', status: 'all', serverId: 'all' };

type Filterable = Pick<App, 'name' | 'longname' | 'domains' | 'serverId' | 'stopped' | 'deployment'>;

export interface FilteredApps<A> {
  apps: A[];
  /** How many each status would show with the other filters as they are. */
  counts: Record<AppFilter['status'], number>;
}

export function filterApps<A extends Filterable>(
  apps: readonly A[],
  { words, status, serverId }: AppFilter,
): FilteredApps<A> {
  const wanted = words.trim().toLowerCase();
  const counts: FilteredApps<A>['counts'] = { all: 0, running: 0, paused: 0, undeployed: 0 };
  const kept = apps.filter((app) => {
    if (serverId !== 'all' && app.serverId !== serverId) return false;
    if (![app.name, app.longname, ...app.domains].some((text) => text.toLowerCase().includes(wanted)))
      return false;
    const own = appStatus(app);
    counts.all += 1;
    counts[own] += 1;
    return status === 'all' || status === own;
  });
  return { apps: kept, counts };
}

/** "10 running, 1 paused, on 3 servers." */
export function summaryOf(apps: readonly Filterable[]): string {
  const { counts } = filterApps(apps, noFilter);
  const servers = new Set(apps.map((app) => app.serverId)).size;
  const parts = [
    `${counts.running} running`,
    `${counts.paused} paused`,
    ...(counts.undeployed > 0 ? [`${counts.undeployed} not deployed yet`] : []),
  ];
  return `${parts.join(', ')}, on ${servers} ${servers === 1 ? 'server' : 'servers'}.`;
}
