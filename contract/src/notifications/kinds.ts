/** The kinds of news, by what they concern. A person can switch off each kind for each server, app and proxy. */
export const notificationKinds = {
  server: [
    ...(['server.offline', 'server.reboot', 'server.disk', 'server.filling', 'server.pressure'] as const),
    ...(['database.backup', 'operation'] as const),
  ],
  app: ['app.down', 'app.certificate', 'app.deploy', 'operation'],
  proxy: ['proxy.website', 'proxy.certificate', 'proxy.domain'],
} as const;
export type NotificationSubject = keyof typeof notificationKinds;
export type NotificationKind = (typeof notificationKinds)[NotificationSubject][number];
/**
 * News of the console itself is its owner’s. It has no switch: it comes as long as a schedule makes backups. News of a destination that
 * broke has none either.
 */
export const newsKinds = [
  ...notificationKinds.server.filter((kind) => kind !== 'operation'),
  ...notificationKinds.app,
  ...notificationKinds.proxy,
  ...(['console.backup', 'destination'] as const),
] as const;
export type NewsKind = (typeof newsKinds)[number];

/** News of these kinds about one server leaves together, because a dead server takes its apps with it. */
export const groupedKinds = ['server.offline', 'app.down'] as const satisfies readonly NewsKind[];

/** Events that a person may want to hear of at any hour: something does not work, or works again. So is the end of an incident with such an event. */
export const graveEvents = [
  ...(['app.went-down', 'app.came-up', 'server.went-silent', 'server.came-back'] as const),
  ...(['website.failing', 'website.works-again', 'domain.unserved'] as const),
] as const;

/** Events with which something begins that goes on until it is over. */
export const firingEvents = [
  ...(['app.went-down', 'server.went-silent', 'website.failing', 'disk.filled', 'disk.filling'] as const),
  ...(['server.strained', 'backup.failed', 'backup.missed', 'domain.astray', 'domain.unserved'] as const),
  ...(['console-backup.failed', 'console-backup.late', 'console-backup.unproven'] as const),
  'console-backup.uncopied',
] as const;

/** Events that end an incident. */
export const endingEvents = [
  ...(['app.came-up', 'server.came-back', 'website.works-again', 'disk.eased', 'domain.back'] as const),
  ...(['backup.works-again', 'console-backup.works-again', 'server.eased', 'disk.steadied'] as const),
] as const;

/** What a server may lack without being full or silent. */
export const resources = ['cpu', 'ram', 'swap', 'load'] as const;
export type Resource = (typeof resources)[number];

/** Milliseconds unless the name says otherwise. */
export const notificationRules = {
  /** Messages to one destination in any hour, unless its person chose another number. Further news waits and leaves as one summary. */
  perHour: 10,
  hourMs: 3_600_000,
  /**
   * So long news of one server is gathered. The checks of its apps come together within the two attempts of one check and one look at
   * what they found.
   */
  groupMs: 40_000,
  /** Two missed reports. The page says Offline after the first one. */
  serverSilentMs: 480_000,
  diskFullPercent: 90,
  /** Lower than `diskFullPercent`, so that a disk that swings around that share is told of once. */
  diskEasedPercent: 85,
  /** A disk that is at least half full is filling when its last hours lead to its end within this time. */
  fillingWithinMs: 48 * 3_600_000,
  /** Longer than `fillingWithinMs`, likewise. */
  steadyFromMs: 96 * 3_600_000,
  fillingHours: 12,
  fillingFromPercent: 50,
  /**
   * Percent; of the load: of the cores, so that 300 is three waiting tasks for each. `over` has to hold for `pressureMs`, `under` for
   * `pressureEasedMs`.
   */
  pressure: {
    cpu: { over: 95, under: 85 },
    ram: { over: 95, under: 90 },
    swap: { over: 90, under: 80 },
    load: { over: 300, under: 200 },
  },
  pressureMs: 15 * 60_000,
  /** Two reports. */
  pressureEasedMs: 370_000,
  certificateDays: [14, 7, 3, 1],
  /** A failed operation that a page shows within this time is not told of. */
  operationWatchedMs: 60_000,
  /** Deploys and operations that failed longer ago are not told of. */
  newsMs: 24 * 3_600_000,
  /** Notices that are kept of one person, the newest first. Those that wait are among them. */
  keptNotices: 1_000,
  keptMs: 90 * 24 * 3_600_000,
  /** What a person may have muted at once: incidents, servers and apps. */
  timedMutes: 50,
  /** The longest mute: from the first minute of a day to the next morning, where the clock is set back in between. */
  muteMinutes: 33 * 60,
  /** So long reminders are listed among what was sent to a destination. */
  keptRepeatsMs: 24 * 3_600_000,
  /** Rows in one section of a page. */
  shown: 20,
  /** Rows of one page of all news. */
  pageOfNews: 50,
  /** Lines in one summary. Further news is only counted. */
  summaryLines: 50,
} as const;

/**
 * The last of the days before its end that a certificate has reached; null before the first. A certificate that lives for
 * six days is renewed on the third: days that are more than half of a life are left out. Times are epoch milliseconds.
 */
export function daysToCertificateEnd(
  { validFrom, validTo }: { validFrom: number; validTo: number },
  now: number,
): number | null {
  const dayMs = 86_400_000;
  const reached = notificationRules.certificateDays.filter(
    (days) => validTo - now <= days * dayMs && days * dayMs * 2 <= validTo - validFrom,
  );
  return reached.at(-1) ?? null;
}
