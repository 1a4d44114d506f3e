/** What of a person’s things can change; the page reads again what begins with the topic. */
export const changeTopics = [
  'servers',
  'apps',
  'keys',
  'operations',
  'profile',
  'stats',
  'connections',
  'invitations',
  // Variables of an app on its server; the values themselves are read there.
  'environment',
] as const;
export type ChangeTopic = (typeof changeTopics)[number];

/**
 * The socket that carries everything live to one page. A browser opens six HTTP/1.1 connections to a host and lends them to
 * all of its tabs, so a page holds no event stream: each stream route of the table is a subscription on this one socket.
 */
export const liveSubprotocol = 'homeport.live.v1';
/** The longest message that a page sends; `after` is most of it. */
export const liveMessageBytes = 8_192;
/** The longest id of an event that a reader may come back with, here and in `Last-Event-ID`. */
export const eventIdCharacters = 4_000;
