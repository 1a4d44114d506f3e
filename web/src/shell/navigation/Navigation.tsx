import { useRouterState } from '@tanstack/react-router';
import { useApi } from '../../data/use-api.ts';
import { Entries } from './Entries.tsx';
import { type EntryPath, entryOf } from './entries.ts';
import { HarbourLights } from './HarbourLights.tsx';

/** The eight entries and the harbour lights. The sidebar, the rail and the drawer show the same ones. */
export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  return (
    <>
      <Entries current={entryOf(pathname)} counts={useCounts()} onNavigate={onNavigate} />
      <HarbourLights />
    </>
  );
}

/** The number of things behind each entry. Left out while unknown. */
function useCounts(): Partial<Record<EntryPath, number>> {
  const apps = useApi('GET /api/apps');
  const databases = useApi('GET /api/databases');
  const proxies = useApi('GET /api/proxies');
  const servers = useApi('GET /api/servers');
  return {
    ...(apps.data ? { '/apps': apps.data.length } : {}),
    ...(databases.data ? { '/databases': databases.data.length } : {}),
    ...(proxies.data ? { '/proxies': proxies.data.length } : {}),
    ...(servers.data ? { '/servers': servers.data.length } : {}),
  };
}
