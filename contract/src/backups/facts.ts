/** How many dumps and copies of a schedule stay, at most and at least. The newest stays whatever its age. */
export const keptBackups = { least: 1, most: 200 } as const;
/** After how many days dumps and copies may go, at most. */
export const keptBackupDays = 3_650;

/** When a backup is restored on trial into a database of its own after it was made. */
export const restoreTests = ['never', 'weekly', 'each'] as const;
export type RestoreTest = (typeof restoreTests)[number];

export const backupTargets = ['server', 's3'] as const;
export type BackupTarget = (typeof backupTargets)[number];

export const backupStates = ['running', 'succeeded', 'failed'] as const;
export type BackupState = (typeof backupStates)[number];

/**
 * Why a run failed. `busy`: an earlier run or a restore still went on. `no_room`: the disk has less room than the data need.
 * `prune_failed`: the copy is there, and old copies could not be removed. `test_failed`: the dump is there, and a restore on trial
 * did not bring its data back. `ended_early`: the server went down, or somebody ended it.
 */
export const backupFailures = [
  'busy',
  'no_room',
  'export_failed',
  'client_missing',
  'copy_failed',
  'prune_failed',
  'test_failed',
  'ended_early',
] as const;
export type BackupFailure = (typeof backupFailures)[number];

/** A run of which the server tells nothing so long after its time was missed. An agent reports every three minutes. */
export const missedAfterMs = 20 * 60_000;

/** Runs of one database that the console keeps, and those that its page shows. */
export const runsKept = 100;
export const runsShown = 30;
/** Runs in one report of an agent. */
export const runsPerReport = 20;
/** Characters of a failure's text. */
export const failureCharacters = 300;

/** The client that copies backups, by its name as a package of Debian and as a program. */
export const backupClient = 'rclone';

/**
 * What an S3 address may hold. The server's plugin checks the same (`dokku/plugin/schedule-functions`): none of it can end a line,
 * be read as an option, or stand for something else in rclone's settings.
 */
export const s3Fields = {
  endpoint: {
    characters: 300,
    pattern: /^https?:\/\/[A-Za-z0-9.-]+(?::[0-9]{1,5})?$/,
    wrong: 'Enter the address of the service, such as https://s3.eu-central-1.amazonaws.com, without a path.',
  },
  region: {
    characters: 64,
    pattern: /^[A-Za-z0-9-]+$/,
    wrong:
      'A region has letters, digits and -, such as eu-central-1. Services without regions take us-east-1.',
  },
  bucket: {
    characters: 63,
    pattern: /^[A-Za-z0-9][A-Za-z0-9._-]+$/,
    wrong: 'A bucket has letters, digits, dots, - and _, at least two of them.',
  },
  prefix: {
    characters: 200,
    pattern: /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*)?$/,
    wrong: 'A prefix has folders of letters, digits, dots, - and _, joined by /, such as backups/shop.',
  },
  accessKey: {
    characters: 256,
    pattern: /^[A-Za-z0-9+/=_.~!@#^&*-]+$/,
    wrong: 'An access key has letters, digits and + / = _ . ~ ! @ # ^ & * -, and no blanks.',
  },
  secret: {
    characters: 256,
    pattern: /^[A-Za-z0-9+/=_.~!@#^&*-]+$/,
    wrong: 'A secret has letters, digits and + / = _ . ~ ! @ # ^ & * -, and no blanks.',
  },
} as const;
export type S3Field = keyof typeof s3Fields;
