/** The ports of the server that a database may be exposed on. Others hold programs of the system, or are given out by Linux. */
export const exposedPorts = { first: 20_000, last: 32_000 } as const;

/** The memory of a database's container, in MiB. It is fixed when the database is created. */
export const databaseMemoryMb = { least: 64, most: 1_048_576 } as const;

/** How many lines of a database's log the log view begins with: by default, and at most. */
export const databaseLogLines = { first: 200, most: 100_000 } as const;

/** New records that one import of databases may make. */
export const databasesPerImport = 200;

export const imageVersionCharacters = 128;
/** A tag of a Docker image (the reference grammar of distribution/reference). */
export const imageVersionPattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
export const imageVersionMalformed = 'A version has letters, digits, dots, - and _, such as 18.4.';

/** What to type to delete a database. */
export const deletion = { word: 'delete' } as const;

/**
 * The states of a service's container. `running`; `paused`: somebody stopped it, and the container stays; `missing`: the
 * container was removed, by hand or by `stop`, and a start makes it anew; `created`: it never started; `restarting`: it ends again
 * and again; `exited`: it ended and nobody stopped it; `ended`: it does not run, and the server does not tell how it came to its
 * end; `unknown`: the server was not asked yet.
 */
export const databaseStates = [
  'running',
  'paused',
  'exited',
  'ended',
  'missing',
  'created',
  'restarting',
  'unknown',
] as const;
export type DatabaseState = (typeof databaseStates)[number];

/**
 * The names of services. A plugin makes names of letters, digits, `-` and `_`; older ones took dots too, so that a server may have
 * such services. Homeport makes lower-case names without dots, and no name may be read as an option or as a hidden file.
 */
export const serviceNamePattern = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;
export const serviceNameCharacters = 128;
export const serviceNameMalformed = 'This is not a name that Dokku gives to a database.';

/**
 * Where a dump comes from. `made`: a person asked for it; `before_restore`: Homeport made it of what a restore was about to
 * replace; `uploaded`: a person sent the file; `scheduled`: the schedule of the server.
 */
export const dumpOrigins = ['made', 'before_restore', 'uploaded', 'scheduled'] as const;
export type DumpOrigin = (typeof dumpOrigins)[number];

/**
 * What a restore test found. `same`: as many tables and rows as were counted when the dump was made; `different`: others; `restored`:
 * the dump was restored and counted, and nothing was counted when it was made; `failed`: it could not be restored or counted.
 */
export const restoreTestOutcomes = ['same', 'different', 'restored', 'failed'] as const;
export type RestoreTestOutcome = (typeof restoreTestOutcomes)[number];

/** Dumps of one database that its server lists. */
export const dumpsListed = 500;
/** The largest file that may be uploaded. */
export const dumpBytes = 1024 ** 4;
/** What to type to restore a dump. */
export const restoring = { word: 'restore' } as const;
/** A transfer in which no byte moves for so long is ended. */
export const dumpStallMs = 60_000;

/** Where Homeport's plugin keeps the dumps on a server, for people who look for them there. */
export const dumpsFolder = '/var/lib/dokku/data/homeport/dumps';
