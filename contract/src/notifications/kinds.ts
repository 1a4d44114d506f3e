/** The kinds of news, by what they concern. A person can switch off each kind for each server and app. */
export const notificationKinds = {
  server: ['server.offline', 'server.disk', 'database.backup', 'operation'],
  app: ['app.down', 'app.certificate', 'app.deploy', 'operation'],
} as const;
export type NotificationSubject = keyof typeof notificationKinds;
export type NotificationKind = (typeof notificationKinds)[NotificationSubject][number];

/** The channels that reach a person; `api/src/notifications` has a folder for each. */
export const notificationChannels = ['email'] as const;
export type NotificationChannel = (typeof notificationChannels)[number];

/** Milliseconds unless the name says otherwise. */
export const notificationRules = {
  /** Messages to one person on one channel in any hour. Further news waits and leaves as one summary. */
  perHour: 10,
  hourMs: 3_600_000,
  /** Two missed reports. The page says Offline after the first one. */
  serverSilentMs: 480_000,
  diskFullPercent: 90,
  /** Lower than `diskFullPercent`, so that a disk that swings around 90 % is told of once. */
  diskEasedPercent: 85,
  certificateDays: [14, 7, 3, 1],
  /** A failed operation that a page shows within this time is not told of. */
  operationWatchedMs: 60_000,
  /** Deploys and operations that failed longer ago are not told of. */
  newsMs: 24 * 3_600_000,
  /** Notices that are kept of one person, the newest first. Those that wait are among them. */
  keptNotices: 1_000,
  keptMs: 90 * 24 * 3_600_000,
  /** Rows in one section of a page. */
  shown: 20,
  /** Lines in one summary. Further news is only counted. */
  summaryLines: 50,
} as const;
