/** With more servers than this, the dashboard lists servers. Otherwise it lists apps. */
export const serversBesideApps = 3;

export const loadServersSummary = () => import('./ServersSummary.tsx');
export const loadAppsSummary = () => import('./AppsSummary.tsx');

/** Loads the list that the dashboard will show. Without a server there is none. */
export async function prepareSummary(servers: number): Promise<void> {
  if (servers > serversBesideApps) await loadServersSummary();
  else if (servers > 0) await loadAppsSummary();
}
