/** How many backups of the console stay in its folder, the newest first. */
export const keptBackups = { least: 1, most: 60, usual: 7 } as const;
/** Backups that a person may begin within an hour. Each reads the whole store. */
export const backupsPerHour = 6;
/** A recipient of age is this long: `age1` and 58 characters (age-encryption.org/v1, bech32). */
export const recipientCharacters = 62;
/** How often a backup is restored as a test. A proof that failed or was skipped is tried again with the next backup. */
export const proofEveryMs = 7 * 24 * 60 * 60_000;
const minuteMs = 60_000;
/**
 * When a copy that failed is tried again, counted from each failed try. After the last one it is given up: the next backup is copied when it is made.
 */
export const copyAgainAfterMs = [5, 15, 60, 180, 360, 720].map((minutes) => minutes * minuteMs);
/** The page warns, and the owner is told, when the newest whole backup of a schedule is older. */
export const backupOldAfterMs = 26 * 60 * 60_000;
