import { useRouterState } from '@tanstack/react-router';
import { useApi } from '../data/use-api.ts';
import { Icon } from '../ui/Icon.tsx';
import { Mark, Wordmark } from '../ui/Logo.tsx';
import { EntryLink } from './EntryLink.tsx';
import { type EntryPath, entries, entryOf } from './entries.ts';
import { HarbourLights } from './HarbourLights.tsx';

export function Brand() {
  return (
    <EntryLink className="brand" to="/home" aria-label="Homeport, home">
      <Mark />
      <Wordmark />
    </EntryLink>
  );
}

/** The eight entries and the harbour lights: the same in the sidebar, in the rail and in the drawer. */
export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const current = entryOf(pathname);
  const counts = useCounts();
  return (
    <>
      <nav aria-label="Main">
        <ul>
          {entries.map((entry) => {
            const count = counts[entry.path];
            return (
              <li key={entry.path}>
                <EntryLink
                  className="nav"
                  to={entry.path}
                  title={entry.label}
                  aria-current={entry === current ? 'page' : undefined}
                  onClick={onNavigate}
                >
                  <Icon name={entry.icon} />
                  <span>{entry.label}</span>
                  {count !== undefined && <span className="n">{count}</span>}
                </EntryLink>
              </li>
            );
          })}
        </ul>
      </nav>
      <HarbourLights />
    </>
  );
}

/** How many there are; none while unknown. */
function useCounts(): Partial<Record<EntryPath, number>> {
  const apps = useApi('GET /api/apps');
  const servers = useApi('GET /api/servers');
  return {
    ...(apps.data ? { '/apps': apps.data.length } : {}),
    ...(servers.data ? { '/servers': servers.data.length } : {}),
  };
}
