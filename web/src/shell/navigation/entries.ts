import type { IconName } from '../../ui/picture/Icon.tsx';

export type EntryPath =
  | '/home'
  | '/promos'
  | '/apps'
  | '/ssh-keys'
  | '/databases'
  | '/domains'
  | '/proxies'
  | '/servers';

export interface Entry {
  path: EntryPath;
  label: string;
  icon: IconName;
  /** The key after G that opens the entry. */
  letter: string;
  /** Other addresses that belong to the entry. */
  also: readonly string[];
}

/** The sidebar's entries, in their order. */
export const entries: readonly Entry[] = [
  { path: '/home', label: 'Home', icon: 'home', letter: 'h', also: [] },
  { path: '/promos', label: 'Free Server Credits', icon: 'credits', letter: 'f', also: [] },
  { path: '/apps', label: 'Applications', icon: 'apps', letter: 'a', also: ['/app/'] },
  { path: '/ssh-keys', label: 'Credentials', icon: 'key', letter: 'c', also: [] },
  { path: '/databases', label: 'Databases', icon: 'database', letter: 'd', also: [] },
  { path: '/domains', label: 'Domains', icon: 'domain', letter: 'o', also: ['/domain/'] },
  { path: '/proxies', label: 'Proxies', icon: 'proxy', letter: 'p', also: ['/proxy/'] },
  { path: '/servers', label: 'Servers', icon: 'server', letter: 's', also: ['/server/'] },
];

export function entryOf(pathname: string): Entry | undefined {
  return entries.find(
    ({ path, also }) =>
      pathname === path ||
      pathname.startsWith(`${path}/`) ||
      also.some((prefix) => pathname.startsWith(prefix)),
  );
}
