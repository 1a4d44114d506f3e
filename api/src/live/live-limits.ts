/** What one page, one session and one person may hold of the live socket, in this process. */
export type LiveLimits = {
  socketsPerSession: number;
  socketsPerPerson: number;
  subscriptionsPerSocket: number;
  subscriptionsPerPerson: number;
  /** A page that sends more messages is cut off: `burst` at once, `perSecond` from then on. */
  messages: { burst: number; perSecond: number };
  /** No stream is pulled while this much waits for the page. */
  bufferedBytes: number;
  /** What all pages of one person may leave unread; a subscription for which there is no place is dropped. */
  unreadBytesPerPerson: number;
  /** A single event beyond this fails its subscription. */
  eventBytes: number;
  /** A subscription whose page took nothing for this long is dropped. */
  slowAfterMs: number;
  heartbeatMs: number;
};

export const defaultLiveLimits: LiveLimits = {
  socketsPerSession: 100,
  socketsPerPerson: 200,
  subscriptionsPerSocket: 16,
  subscriptionsPerPerson: 600,
  messages: { burst: 100, perSecond: 20 },
  bufferedBytes: 256 * 1024,
  unreadBytesPerPerson: 32 * 1024 * 1024,
  eventBytes: 8 * 1024 * 1024,
  slowAfterMs: 10_000,
  heartbeatMs: 20_000,
};
