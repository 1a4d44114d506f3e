/** The kinds of destinations at which a person is told; `api/src/notifications` has a folder for each. */
export const destinationKinds = [
  ...(['email', 'webhook', 'slack', 'discord', 'ntfy', 'telegram', 'gotify'] as const),
  ...(['pushover', 'teams', 'matrix', 'pagerduty', 'web-push'] as const),
] as const;
export type DestinationKind = (typeof destinationKinds)[number];
/** The kinds that a person adds. The address of the account is there from the beginning. */
export type AddedKind = Exclude<DestinationKind, 'email'>;

/** Milliseconds unless the name says otherwise. */
export const destinationLimits = {
  urlCharacters: 1_000,
  /** A token, a key, the id of a room. */
  tokenCharacters: 500,
  /** Tests, and messages that are sent again, of one account. */
  byHandPerMinute: 6,
  /** Messages of one account that one process has on their way. */
  underWayOfOwner: 4,
  /** Messages that one process has on their way. */
  underWay: 60,
  /** One try, from the name's lookup to the end of the answer. */
  tryMs: 15_000,
  /** Of an answer. The rest is not read. */
  answerBytes: 16 * 1024,
  /** Of a message to a webhook. */
  bodyBytes: 16 * 1024,
  /** The longest wait that an answer's `Retry-After` can ask for. */
  retryAfterMs: 3_600_000,
  /** So long the replaced secret of a webhook signs beside the new one. */
  previousSecretMs: 24 * 3_600_000,
  /** How long a link to a chat of Telegram is valid. */
  chatLinkMinutes: 10,
  /** Searches for such a chat that an account has under way at once. Each holds a connection for up to 8 s. */
  chatLooks: 2,
  /** So long a push service keeps news for a browser that is not there. */
  pushKeptSeconds: 24 * 3_600,
  /** Of a message to a push service, encrypted: what each service takes (RFC 8291, 4). */
  pushBytes: 4_096,
  /** So long a browser may take to install the worker that shows news, a file of 2 kB. */
  workerReadyMs: 20_000,
  /** Deliveries that a page shows. */
  shown: 50,
} as const;

/** How many messages a person may let a destination get within any hour. Further news waits and leaves as one summary. */
export const hourlyLimits = [2, 5, 10, 20, 60] as const;
export type HourlyLimit = (typeof hourlyLimits)[number];
/** The mail server is the console's, and shared by everybody on it. */
export const mostMailsPerHour = 20 satisfies HourlyLimit;

/** Minutes after which a destination gets what goes on and nobody has acknowledged; at once, or it is a second one. */
export const escalationMinutes = [0, 5, 15, 30, 60] as const;
/** How often, in hours, a person may have repeated what goes on and nobody has acknowledged. */
export const repeatHours = [1, 4, 24] as const;

/** Every secret of a webhook begins so (Standard Webhooks 1.0.0). */
export const webhookSecretPrefix = 'whsec_';

/** A push service says that a browser's address is over. The page then asks the browser for another one. */
export const pushEnded = 'the browser takes no messages any more';
