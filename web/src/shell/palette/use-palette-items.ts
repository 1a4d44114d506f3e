import type { App } from '@homeport/contract/apps/schema';
import type { Database } from '@homeport/contract/databases/schema';
import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import type { ProxySummary } from '@homeport/contract/proxies/schema';
import type { Server } from '@homeport/contract/servers/schema';
import type { Uptime } from '@homeport/contract/uptime/schema';
import { useMemo } from 'react';
import { appTroubles } from '../../apps/app-troubles.ts';
import { type AppStates, useAppStates } from '../../apps/use-app-states.ts';
import { useApi } from '../../data/use-api.ts';
import { toastStore } from '../../ui/feedback/toasts.ts';
import type { IconName } from '../../ui/picture/Icon.tsx';
import { formatDateTime } from '../../ui/text/format.ts';
import { entries } from '../navigation/entries.ts';
import type { PaletteItem } from './match-items.ts';
import { messageOpens } from './message-opens.ts';

export interface PaletteEntry extends PaletteItem {
  icon: IconName;
  keys?: readonly string[];
  opens: { to: string } | { operation: string } | { act: 'theme' | 'refresh' | 'help' };
}

const pages: readonly PaletteEntry[] = [
  ...entries.map(({ path, label, icon, letter }) => ({
    id: path,
    group: 'Pages' as const,
    label,
    icon,
    keys: ['G', letter.toUpperCase()],
    opens: { to: path },
  })),
  {
    id: '/notifications',
    group: 'Pages',
    label: 'Notifications',
    icon: 'bell',
    opens: { to: '/notifications' },
  },
  { id: '/profile', group: 'Pages', label: 'Profile', icon: 'user', opens: { to: '/profile' } },
];

const commands: readonly PaletteEntry[] = [
  {
    id: 'new-app',
    group: 'Commands',
    label: 'Create an app',
    icon: 'apps',
    keys: ['N', 'A'],
    opens: { to: '/apps/new' },
  },
  {
    id: 'new-server',
    group: 'Commands',
    label: 'Create a server link',
    icon: 'server',
    keys: ['N', 'S'],
    opens: { to: '/servers?add=1' },
  },
  {
    id: 'new-database',
    group: 'Commands',
    label: 'Create a database',
    icon: 'database',
    keys: ['N', 'D'],
    opens: { to: '/databases/new' },
  },
  {
    id: 'new-proxy',
    group: 'Commands',
    label: 'Create a proxy',
    icon: 'proxy',
    keys: ['N', 'P'],
    opens: { to: '/proxies/new' },
  },
  {
    id: 'new-key',
    group: 'Commands',
    label: 'Create a keypair',
    icon: 'key',
    keys: ['N', 'K'],
    opens: { to: '/ssh-keys/new' },
  },
  {
    id: 'theme',
    group: 'Commands',
    label: 'Change the theme',
    icon: 'moon',
    keys: ['T'],
    opens: { act: 'theme' },
  },
  {
    id: 'refresh',
    group: 'Commands',
    label: 'Refresh the data',
    icon: 'refresh',
    keys: ['R'],
    opens: { act: 'refresh' },
  },
  {
    id: 'help',
    group: 'Commands',
    label: 'Keyboard shortcuts',
    icon: 'command',
    keys: ['?'],
    opens: { act: 'help' },
  },
];

/** All items of the palette: the loaded apps, servers, databases and proxies, the pages, the commands and the last messages. */
export function usePaletteItems(): PaletteEntry[] {
  const apps = useApi('GET /api/apps').data;
  const servers = useApi('GET /api/servers').data;
  const databases = useApi('GET /api/databases').data;
  const proxies = useApi('GET /api/proxies').data;
  const checked = useApi('GET /monitor/uptime').data;
  const states = useAppStates();
  return useMemo(
    () =>
      itemsOf(
        (apps ?? []).map((app) => ({ ...app, troubles: troublesOf(app, states, checked ?? []) })),
        servers ?? [],
        databases ?? [],
        proxies ?? [],
      ),
    [apps, servers, databases, proxies, checked, states],
  );
}

/** "Crashed", "Deploy failed": found by these words, and shown with the app. */
function troublesOf(app: App, { stateOf, now }: AppStates, checked: readonly Uptime[]): string[] {
  const check = checked.find(({ appId }) => appId === app.id);
  return appTroubles(app, stateOf(app), check, now).map(({ label }) => label);
}

function itemsOf(
  apps: readonly (App & { troubles: readonly string[] })[],
  servers: readonly Server[],
  databases: readonly Database[],
  proxies: readonly ProxySummary[],
): PaletteEntry[] {
  return [
    ...apps.map((app) => ({
      id: app.id,
      group: 'Apps' as const,
      label: app.name,
      also: [app.longname, ...app.domains, ...app.troubles],
      note: () => [...app.troubles, `${app.serverName}, created ${formatDateTime(app.createdAt)}`].join(', '),
      icon: 'apps' as const,
      at: app.createdAt,
      opens: { to: `/app/${encodeURIComponent(app.serverKey)}/${encodeURIComponent(app.longname)}` },
    })),
    ...servers.map((server) => ({
      id: server.id,
      group: 'Servers' as const,
      label: server.name,
      also: [server.ip, ...(server.subdomain ? [server.subdomain] : [])],
      note: () => server.ip,
      icon: 'server' as const,
      at: server.createdAt,
      opens: { to: `/server/${encodeURIComponent(server.key)}` },
    })),
    ...databases.map((database) => ({
      id: database.id,
      group: 'Databases' as const,
      label: database.name,
      also: [database.longname],
      note: () => `${databaseTypeOf(database.type).title} on ${database.serverName}`,
      icon: 'database' as const,
      at: database.createdAt,
      opens: { to: `/databases/${encodeURIComponent(database.longname)}?id=${database.id}` },
    })),
    ...proxies.map((proxy) => ({
      id: proxy.id,
      group: 'Proxies' as const,
      label: proxy.name,
      also: [proxy.domain],
      note: () => proxy.domain,
      icon: 'proxy' as const,
      at: proxy.createdAt,
      opens: { to: `/proxy/${encodeURIComponent(proxy.id)}` },
    })),
    ...pages,
    ...commands,
    ...toastStore.recent().map((item) => ({
      id: `message-${item.id}`,
      group: 'Recent messages' as const,
      label: item.text,
      note: () => formatDateTime(item.at),
      icon: 'bell' as const,
      at: item.at,
      opens: messageOpens(item),
    })),
  ];
}
