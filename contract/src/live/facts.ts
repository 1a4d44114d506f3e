/**
 * The topics of changes to a person’s records. The page reads again every query whose key begins with the
 * topic.
 */
export const changeTopics = [
  'servers',
  'apps',
  // With their links.
  'databases',
  'proxies',
  'keys',
  'operations',
  'profile',
  // The person’s sign-ins.
  'sessions',
  'security-events',
  'tokens',
  // What programs proposed.
  'proposals',
  'passkeys',
  // Where news goes, with what became of it there.
  'destinations',
  // What the person was told of, with where it went.
  'notifications',
  // The person’s public pages.
  'status-pages',
  'stats',
  'connections',
  'invitations',
  // With the repositories that it lists.
  'github',
  // With the account at Cloudflare that lists them.
  'zones',
  // What a server told of an app.
  'readings',
  // The variables of an app. Their values are read from the server.
  'environment',
  // What the owner sees of the console itself.
  'console',
] as const;
export type ChangeTopic = (typeof changeTopics)[number];

/**
 * The socket that carries everything live to one page. A browser opens six HTTP/1.1 connections to a host for
 * all of its tabs together. So a page holds no event stream: each stream route of the table is a subscription
 * on this one socket.
 */
export const liveSubprotocol = 'homeport.live.v1';
/** The longest message of a page, in bytes. `after` is most of it. */
export const liveMessageBytes = 8_192;
/** The longest event id that a returning reader may send, here and in `Last-Event-ID`. */
export const eventIdCharacters = 4_000;
