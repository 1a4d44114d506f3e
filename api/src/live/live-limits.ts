/** How much of the live socket one page, one session and one person may use in this process. */
export type LiveLimits = {
  socketsPerSession: number;
  socketsPerPerson: number;
  subscriptionsPerSocket: number;
  subscriptionsPerPerson: number;
  /** A page that sends more messages is cut off: `burst` at once, then `perSecond`. */
  messages: { burst: number; perSecond: number };
  /** The same for messages to exchanges, such as the keystrokes of a terminal. */
  sends: { burst: number; perSecond: number };
  /** No stream is pulled while this many bytes wait for the page. */
  bufferedBytes: number;
  /** How many unread bytes all pages of one person may have. A subscription that needs more is dropped. */
  unreadBytesPerPerson: number;
  /** A single event larger than this fails its subscription. */
  eventBytes: number;
  /** A subscription is dropped if its page takes nothing for this long. */
  slowAfterMs: number;
  heartbeatMs: number;
};

export const defaultLiveLimits: LiveLimits = {
  socketsPerSession: 100,
  socketsPerPerson: 200,
  subscriptionsPerSocket: 16,
  subscriptionsPerPerson: 600,
  messages: { burst: 100, perSecond: 20 },
  sends: { burst: 1_000, perSecond: 250 },
  bufferedBytes: 256 * 1024,
  unreadBytesPerPerson: 32 * 1024 * 1024,
  eventBytes: 8 * 1024 * 1024,
  slowAfterMs: 10_000,
  heartbeatMs: 20_000,
};
