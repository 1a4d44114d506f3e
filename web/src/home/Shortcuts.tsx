import type { App } from '@homeport/contract/apps/schema';
import type { Database } from '@homeport/contract/databases/schema';
import type { ProxySummary } from '@homeport/contract/proxies/schema';
import { countsInWords } from '../apps/list/filter-apps.ts';
import { type AppStates, useAppStates } from '../apps/use-app-states.ts';
import { useApi } from '../data/use-api.ts';
import { countsInWords as databaseCountsInWords } from '../databases/list/filter-databases.ts';
import { type StatusOf, useDatabaseStatuses } from '../databases/use-database-statuses.ts';
import type { FleetLine } from '../servers/use-fleet.ts';
import { EntryLink } from '../shell/navigation/EntryLink.tsx';
import { Icon } from '../ui/picture/Icon.tsx';
import typography from '../ui/text/typography.module.css';
import styles from './Shortcuts.module.css';

export interface ShortcutsProps {
  lines: readonly FleetLine[] | undefined;
  apps: readonly App[] | undefined;
}

export function Shortcuts({ lines, apps }: ShortcutsProps) {
  const { stateOf } = useAppStates();
  const databases = useApi('GET /api/databases').data;
  const statusOf = useDatabaseStatuses();
  const proxies = useApi('GET /api/proxies').data;
  const cards = [
    { to: '/apps', icon: 'apps', name: 'Apps', note: appsNote(apps, stateOf) },
    { to: '/databases', icon: 'database', name: 'Databases', note: databasesNote(databases, statusOf) },
    { to: '/servers', icon: 'server', name: 'Servers', note: serversNote(lines) },
    { to: '/proxies', icon: 'proxy', name: 'Proxies', note: proxiesNote(proxies) },
    { to: '/domains', icon: 'domain', name: 'Domains', note: 'DNS records' },
  ] as const;
  return (
    <nav className={styles.shortcuts} aria-label="Shortcuts">
      {cards.map(({ to, icon, name, note }) => (
        <EntryLink key={to} className={styles.shortcut} to={to}>
          <Icon name={icon} size={20} />
          <span className={typography.twoLines}>
            <b className={typography.strong}>{name}</b>
            <small>{note}</small>
          </span>
          <Icon name="right" size={16} />
        </EntryLink>
      ))}
    </nav>
  );
}

function appsNote(apps: ShortcutsProps['apps'], stateOf: AppStates['stateOf']): string {
  if (!apps) return 'Not loaded yet';
  if (apps.length === 0) return 'None yet';
  return countsInWords(apps, stateOf, []).join(', ');
}

function databasesNote(databases: readonly Database[] | undefined, statusOf: StatusOf): string {
  if (!databases) return 'Not loaded yet';
  if (databases.length === 0) return 'None yet';
  return databaseCountsInWords(databases, statusOf, []).join(', ');
}

function proxiesNote(proxies: readonly ProxySummary[] | undefined): string {
  if (!proxies) return 'Not loaded yet';
  if (proxies.length === 0) return 'None yet';
  const serving = proxies.filter(({ standing }) => standing.state === 'serving').length;
  return `${serving} of ${proxies.length} serving`;
}

function serversNote(lines: ShortcutsProps['lines']): string {
  if (!lines) return 'Not loaded yet';
  if (lines.length === 0) return 'None yet';
  if (lines.some(({ status }) => status === null)) return `${lines.length} linked`;
  return `${lines.filter(({ status }) => status === 'online').length} of ${lines.length} online`;
}
