/**
 * Times are in milliseconds unless the name says otherwise. The specification or product decisions fix all of
 * these values.
 */
export const refreshEveryMs = 60_000;
export const serverStatsEveryMs = 180_000;
export const reportEverySeconds = 180;
/**
 * A server is Offline if its stats are older than this. An app is silent if its last report is older than
 * this.
 */
export const staleAfterMs = 300_000;
export const overlayAtMostMs = 6_000;
export const chartPoints = 20;
export const usageWarningPercent = 80;
export const usageDangerPercent = 90;
export const installDialogClosesAfterMs = 12_000;
export const readmeCharacters = 1_000;
export const storageCapGb = 15;

export const toastMs = { action: 9_000, planUpdate: 12_000, restartAfterPlan: 5_000, noKeys: 8_400 } as const;
export const noKeysRedirectMs = 3_600;
/** So long the first click of a deletion by two clicks counts, and so far apart the two must be. */
export const clickAgain = { withinMs: 6_000, apartMs: 400 } as const;

export const connectionIdleMs = 5 * 60_000;
export const connectionAgeMs = 60 * 60_000;
export const channelsPerConnection = 8;
export const openingsPerMinute = 6;

/**
 * How much a server may send on one channel before the console has taken it: SSH’s window (RFC 4254, 5.2). No
 * more waits in memory for a slow reader. Over a line of 50 ms the window lets 5 MB/s through.
 */
export const channelWindowBytes = 256 * 1024;
/** The same for a file that passes through: as much as OpenSSH’s own client grants. A person has few such channels at once. */
export const transferWindowBytes = 2 * 1024 * 1024;
/**
 * How many packets of its servers the console reads for one person, whatever they carry: a packet of one byte costs almost as much of the
 * loop as one of 32 KiB. Beyond that it reads later.
 */
export const packetPace = { atOnce: 16_384, perSecond: 16_384 } as const;
/** How many commands may wait for a channel of one connection. A person’s running operations are fewer. */
export const waitingPerConnection = 256;
/** How much of one command’s output is kept. */
export const remoteOutputBytes = 1024 * 1024;
/** Longer lines of a command’s output are cut before anything reads them. */
export const remoteLineCharacters = 8_192;
/** How much of the end of a failed command’s output is searched for the cause. */
export const failureTailCharacters = 65_536;
/**
 * The bounds of an operation’s log. Longer lines are cut; text beyond the next two bounds is dropped. The logs of one person, with
 * the commands that ran, have a share together (`shorten_logs` in the store), which counts 64 bytes for each line and command beside its text.
 */
export const operationLog = {
  ...{ lineCharacters: 4_000, lines: 50_000, characters: 8_000_000 },
  bytesOfAccount: 128 * 1024 * 1024,
} as const;

/**
 * How much one person may hold at once, so that no account fills the console. Each is a setting of its own
 * (`HOMEPORT_MAX_SERVERS_PER_PERSON`) with this default.
 */
export const ceilings = {
  servers: 200,
  keys: 100,
  apps: 1_000,
  databases: 1_000,
  proxies: 200,
  /** Sign-ins. One more ends the sign-in that was used longest ago. */
  sessions: 50,
  /** Invitations that nobody has used. */
  invitations: 100,
  /** Personal API tokens, with those that have expired. */
  tokens: 50,
  passkeys: 20,
  /** Where news goes, beside the address of the account. */
  destinations: 20,
  /** Operations that are queued, run or wait. */
  operations: 100,
  /** Event streams over HTTP. */
  streams: 64,
  /** Connections that are being opened. */
  openings: 4,
  /** Live connections to servers. */
  connections: 64,
} as const;
export type Ceilings = Record<keyof typeof ceilings, number>;

/**
 * Connections that the terminals of one person open at once. They take no place of the person's browsers: who has a terminal's token
 * alone, and cannot sign, keeps nobody out.
 */
export const terminalOpenings = 2;

/**
 * The pace of one person, or of one address that is not signed in, for requests and subscriptions together. A
 * page that opens sends a dozen requests `atOnce`. Thirty tabs that open, or that hear of a change, send a
 * `burst`, which passes within two seconds. Further requests wait.
 */
export const requestPace = {
  atOnce: 40,
  burst: 400,
  burstPerSecond: 200,
  perSecond: 40,
  waitMs: 5_000,
} as const;

/** Files that one person may send or fetch at once. Each holds a channel to a server and two windows of memory. */
export const transfersPerPerson = 3;

/** Queued operations of one lane, beside the operation that has the lane. */
export const queuedPerLane = 20;
/** Finished operations that are kept, with their logs. Older ones are removed. */
export const keptOperations = 500;
/** New records that one import may make. */
export const appsPerImport = 500;
/** App names that are read from one server. */
export const appsListed = 10_000;
export const domainsPerApp = 100;
/** Links of one database that are kept, as its server reports them. */
export const linksPerDatabase = 500;
/** Names of databases that are read from one server. */
export const databasesListed = 2_500;
/** Containers of one app that are kept, as its server reports them. */
export const containersPerApp = 200;
/** Folders of one app that outlive its deploys and are measured. */
export const mountsPerApp = 100;

/**
 * Passwords that wait to be checked or hashed in one process, beside the one whose turn it is. Each takes some
 * 40 ms of a core, so the last one waits about four seconds.
 */
export const passwordsWaiting = 100;

export const invitationDays = 7;
export const invitationsPerHour = 20;

/** A usage bar's colour band: info under 80, warning under 90, otherwise danger. */
export function usageBand(percent: number): 'info' | 'warning' | 'danger' {
  if (percent >= usageDangerPercent) return 'danger';
  return percent >= usageWarningPercent ? 'warning' : 'info';
}
