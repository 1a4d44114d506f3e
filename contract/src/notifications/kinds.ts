/** What a person can be told of, by what it concerns. Each kind can be switched off for each server and app. */
export const notificationKinds = {
  server: ['server.offline', 'server.disk', 'operation'],
  app: ['app.down', 'app.certificate', 'app.deploy', 'operation'],
} as const;
export type NotificationSubject = keyof typeof notificationKinds;
export type NotificationKind = (typeof notificationKinds)[NotificationSubject][number];

/** The ways on which a person is told; `api/src/notifications/channels.ts` has a folder for each. */
export const notificationChannels = ['email'] as const;
export type NotificationChannel = (typeof notificationChannels)[number];

/** Milliseconds unless the name says otherwise. */
export const notificationRules = {
  /** Messages to one person on one channel in any hour. What exceeds them waits and leaves as one summary. */
  perHour: 10,
  hourMs: 3_600_000,
  /** Two missed reports. The page says Offline after the first one. */
  serverSilentMs: 480_000,
  diskFullPercent: 90,
  /** Lower than the first threshold, so that a disk that swings around 90 % is told of once. */
  diskEasedPercent: 85,
  certificateDays: [14, 7, 3, 1],
  /** A failed operation that a page has shown by then is not told of. */
  operationWatchedMs: 60_000,
  /** Deploys and operations that failed longer ago are no news. */
  newsMs: 24 * 3_600_000,
  /** Of one person, newest first; those that wait are among them. */
  keptNotices: 1_000,
  keptMs: 90 * 24 * 3_600_000,
  /** Rows of one section of a page. */
  shown: 20,
  /** Lines of one summary; the rest is counted. */
  summaryLines: 50,
} as const;
