/** Shown in every list of the frame. */
const frameKeys = ['GET /api/servers', 'GET /api/apps', 'GET /monitor/dumps'] as const;
const homeKeys = [...frameKeys, 'GET /api/keys'] as const;
const databaseKeys = [...frameKeys, 'GET /api/databases'] as const;
/** The page of an app, a server or a database also says whether its server is connected. */
const recordKeys = [
  ...databaseKeys,
  'GET /api/keys',
  'GET /api/connections',
  'GET /api/configuration',
] as const;
const domainKeys = ['GET /api/configuration', 'GET /api/zones'] as const;
const proxyKeys = [...domainKeys, 'GET /api/proxies'] as const;
const profileKeys = [
  'GET /api/configuration',
  'GET /api/profile',
  'GET /api/zones/account',
  'GET /api/github',
  'GET /api/passkeys',
  'GET /api/sessions',
  'GET /api/tokens',
  'GET /api/tokens/former',
  'GET /api/proposals',
  'GET /api/destinations',
] as const;
/** The owner of the console alone may read these. */
const ownersProfileKeys = ['GET /api/github/app', 'GET /api/invitations'] as const;
const notificationsKeys = [...frameKeys, 'GET /api/destinations'] as const;
const consoleKeys = ['GET /api/console', 'GET /api/console/backups'] as const;

export type FirstKey = (
  | typeof homeKeys
  | typeof recordKeys
  | typeof proxyKeys
  | typeof profileKeys
  | typeof notificationsKeys
  | typeof ownersProfileKeys
  | typeof consoleKeys
)[number];

const keysByName: Record<string, readonly FirstKey[]> = {
  '': homeKeys,
  home: homeKeys,
  apps: frameKeys,
  app: recordKeys,
  servers: frameKeys,
  server: recordKeys,
  databases: databaseKeys,
  domains: domainKeys,
  domain: domainKeys,
  proxies: proxyKeys,
  proxy: proxyKeys,
  profile: profileKeys,
  notifications: notificationsKeys,
};

/**
 * The first data of the page at an address, besides the session: a page that is drawn with its data does not move. The built document
 * preloads the same routes (documents.ts).
 */
export function firstKeys(path: string): readonly FirstKey[] {
  const [, name = '', record] = path.split('/');
  // A large chart is all that its page shows.
  if (path.includes('/chart/')) return name === 'databases' ? databaseKeys : frameKeys;
  if (name === 'databases' && record !== undefined && record !== 'new') return recordKeys;
  return Object.hasOwn(keysByName, name) ? (keysByName[name] ?? []) : [];
}

/** What the owner's page needs besides. No document names these, because it is the same for everybody. */
export function ownersFirstKeys(path: string): readonly FirstKey[] {
  if (path === '/profile') return ownersProfileKeys;
  return path === '/console' ? consoleKeys : [];
}
