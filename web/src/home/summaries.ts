import { onDemand } from '../ui/on-demand.tsx';

/** With more servers than this, the dashboard lists servers. Otherwise it lists apps. */
export const serversBesideApps = 3;

export const ServersSummary = onDemand(
  async () => (await import('./ServersSummary.tsx')).ServersSummary,
  'outside',
);
export const AppsSummary = onDemand(async () => (await import('./AppsSummary.tsx')).AppsSummary, 'outside');

/** Loads the list that the dashboard will show, so that nothing moves when it arrives. Without a server there is none. */
export async function prepareSummary(servers: number): Promise<void> {
  if (servers > serversBesideApps) await ServersSummary.prepare();
  else if (servers > 0) await AppsSummary.prepare();
}
