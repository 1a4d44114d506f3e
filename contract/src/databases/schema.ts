import { z } from 'zod';
import { appLogEventSchema } from '../apps/schema.ts';
import { boundedText } from '../fields/bounded-text.ts';
import { addressSchema, epochMsSchema, idSchema, nameSchema, versionSchema } from '../fields/schema.ts';
import { addressKindOf } from '../fields/server-address.ts';
import { operationSchema } from '../operations/schema.ts';
import type { RouteTable } from '../route.ts';
import {
  databaseLogLines,
  databaseMemoryMb,
  databaseStates,
  databasesPerImport,
  deletion,
  dumpBytes,
  dumpOrigins,
  exposedPorts,
  imageVersionCharacters,
  imageVersionMalformed,
  imageVersionPattern,
  restoreTestOutcomes,
  restoring,
  serviceNameCharacters,
  serviceNameMalformed,
  serviceNamePattern,
} from './facts.ts';
import { databaseTypeNames } from './types/database-types.ts';

export const databaseTypeSchema = z.enum(databaseTypeNames);

/** An app's name in Dokku, which is never an option. */
const appLongnameSchema = boundedText(128).regex(
  /^[a-z0-9][a-z0-9._-]*$/,
  'This is not a name that Dokku gives to an app.',
);
const serviceNameSchema = boundedText(serviceNameCharacters, serviceNameMalformed).regex(
  serviceNamePattern,
  serviceNameMalformed,
);

/** A port of the container and the address and port of the server that lead to it. */
export const exposedPortSchema = z.object({
  containerPort: z.number().int(),
  /** The address of the server that listens; null: all of them. */
  address: z.string().nullable(),
  hostPort: z.number().int(),
});
export type ExposedPort = z.output<typeof exposedPortSchema>;

/** How a container ended, as Docker tells it. */
export const databaseEndingSchema = z.object({
  exitCode: z.number().int(),
  /** The kernel ended it because its memory was used up. */
  outOfMemory: z.boolean(),
});
export type DatabaseEnding = z.output<typeof databaseEndingSchema>;

/** An app on the same server that the database is linked to. */
export const databaseLinkSchema = z.object({
  appLongname: z.string(),
  /** The app's record; null: Homeport does not know the app. */
  appId: idSchema.nullable(),
  appName: z.string().nullable(),
  /** The variable of the app that holds the connection string; null: not read yet. */
  variable: z.string().nullable(),
});
export type DatabaseLink = z.output<typeof databaseLinkSchema>;

export const databaseSchema = z
  .object({
    id: idSchema,
    name: z.string(),
    longname: z.string(),
    type: databaseTypeSchema,
    serverId: idSchema,
    serverKey: z.string(),
    serverName: z.string(),
    /** Somebody stopped the database. */
    stopped: z.boolean(),
    state: z.enum(databaseStates),
    /** How it ended; null: it has not ended, or its server does not tell. */
    ending: databaseEndingSchema.nullable(),
    /** The tag of the image that its container runs: `18.4`; null: not read yet. */
    imageVersion: z.string().nullable(),
    /** Empty: not exposed. */
    ports: z.array(exposedPortSchema),
    /** Something is exposed, and Docker does not lead to it: connections from outside fail. */
    exposureFails: z.boolean(),
    /** Null: no limit, or not known. */
    memoryBytes: z.number().nullable(),
    /** The size of its data on the server's disk; null: not measured. */
    dataBytes: z.number().nullable(),
    links: z.array(databaseLinkSchema),
    /** The last scheduled backup failed, or did not come at its time; null: neither, or no schedule. */
    backupProblem: z.object({ kind: z.enum(['failed', 'missed']), at: epochMsSchema }).nullable(),
    /** The database was made elsewhere and imported from its server. */
    imported: z.boolean(),
    /** When the server last told of it; null: not since it was created or imported. */
    readAt: epochMsSchema.nullable(),
    createdAt: epochMsSchema,
    version: versionSchema,
  })
  .meta({ id: 'Database' });
export type Database = z.output<typeof databaseSchema>;

export const createDatabaseSchema = z.strictObject({
  name: nameSchema,
  type: databaseTypeSchema,
  serverId: idSchema,
  /** The tag of the image; absent: the plugin's default. */
  imageVersion: boundedText(imageVersionCharacters, imageVersionMalformed)
    .regex(imageVersionPattern, imageVersionMalformed)
    .optional(),
  /** Absent: no limit. It cannot be changed later. */
  memoryMb: z
    .number()
    .int()
    .min(databaseMemoryMb.least, `Give it at least ${databaseMemoryMb.least} MB.`)
    .max(databaseMemoryMb.most, `Give it at most ${databaseMemoryMb.most} MB.`)
    .optional(),
  /** The person agrees that Dokku's plugin for this type is fetched and installed as root if the server has none. */
  installPlugin: z.boolean().default(false),
});
export type CreateDatabase = z.input<typeof createDatabaseSchema>;

/** Secrets: read from the server each time they are asked for, and stored nowhere. */
export const connectionStringsSchema = z
  .object({
    /** For apps on the server. */
    internal: z.string(),
    /** For each exposed port that the connection string can name: with the server's address and the mapped port. */
    external: z.array(z.object({ address: z.string(), url: z.string() })),
  })
  .meta({ id: 'ConnectionStrings' });
export type ConnectionStrings = z.output<typeof connectionStringsSchema>;

/** A plugin of a server that makes databases of a type. */
export const databasePluginSchema = z.object({
  type: databaseTypeSchema,
  /** Null: not installed. */
  version: z.string().nullable(),
  /** The version of the image that this plugin takes by default; null: not installed, or the server does not tell. */
  imageVersion: z.string().nullable(),
});

/** What a server can make: its plugins, and whether a missing one can be installed. */
export const databasePluginsSchema = z
  .object({
    plugins: z.array(databasePluginSchema),
    /** The login that may install a plugin, which needs root; null: none of this server's accounts can become root. */
    installer: z.string().nullable(),
  })
  .meta({ id: 'DatabasePlugins' });
export type DatabasePlugins = z.output<typeof databasePluginsSchema>;

/** Where a database can be exposed, and ports that nothing listens on now. */
export const exposureOfferSchema = z
  .object({
    /** 127.0.0.1 first, then the server's private addresses, then null: all addresses. */
    addresses: z.array(
      z.object({ address: z.string().nullable(), kind: z.enum(['loopback', 'private', 'everywhere']) }),
    ),
    /** A free port of the server for each port of the container, in the type's order. */
    ports: z.array(z.object({ containerPort: z.number().int(), hostPort: z.number().int() })),
  })
  .meta({ id: 'ExposureOffer' });
export type ExposureOffer = z.output<typeof exposureOfferSchema>;

const wrongPort = `Choose a port between ${exposedPorts.first} and ${exposedPorts.last}.`;
export const exposeSchema = z.strictObject({
  /** Null: all addresses, which also opens the ports past the server's firewall. */
  address: addressSchema
    .refine((address) => addressKindOf(address) !== 'name', 'Choose an address of the server.')
    .nullable(),
  /** The ports of the server, in the order of the type's container ports. */
  hostPorts: z
    .array(z.number().int().min(exposedPorts.first, wrongPort).max(exposedPorts.last, wrongPort))
    .min(1)
    .max(8)
    .refine((ports) => new Set(ports).size === ports.length, 'Choose another port for each.'),
});

/** A service that the server has and Homeport does not know. */
export const foundDatabaseSchema = z
  .object({
    type: databaseTypeSchema,
    longname: z.string(),
    state: z.enum(databaseStates),
    /** The apps that it is linked to, by their names in Dokku. */
    apps: z.array(z.string()),
  })
  .meta({ id: 'FoundDatabase' });
export type FoundDatabase = z.output<typeof foundDatabaseSchema>;

export const importDatabasesSchema = z.strictObject({
  databases: z
    .array(z.strictObject({ type: databaseTypeSchema, longname: serviceNameSchema }))
    .min(1, 'Choose at least one database.')
    .max(databasesPerImport, `Choose at most ${databasesPerImport} databases.`),
});

/**
 * What a dump should hold, counted around its making: tables or collections, and the fewest and the most rows, documents or keys.
 * The two differ where something was written meanwhile, and by keys that expire.
 */
const dumpCountsSchema = z.object({ parts: z.number(), least: z.number(), most: z.number() });

/** A dump of a database, which lies on the database's server. */
export const dumpSchema = z
  .object({
    id: idSchema,
    origin: z.enum(dumpOrigins),
    bytes: z.number(),
    /** In lower-case hexadecimal digits. */
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    /** By the server's clock. */
    madeAt: epochMsSchema,
    /** How long it took to make or to receive, in whole seconds. */
    durationSeconds: z.number(),
    /** Null: nothing was counted, as for an upload. */
    counts: dumpCountsSchema.nullable(),
  })
  .meta({ id: 'Dump' });
export type Dump = z.output<typeof dumpSchema>;

/** What a restore of a dump into a database made for the test found. */
export const restoreTestSchema = z
  .object({
    id: idSchema,
    dumpId: idSchema,
    dumpMadeAt: epochMsSchema,
    /** When the test ended, by the server's clock. */
    testedAt: epochMsSchema,
    durationSeconds: z.number(),
    outcome: z.enum(restoreTestOutcomes),
    /** Tables or collections, and rows, documents or keys; null: not counted. */
    found: z.object({ parts: z.number(), entries: z.number() }).nullable(),
    expected: dumpCountsSchema.nullable(),
    /** Empty for a test that did not fail. */
    failure: z.string(),
  })
  .meta({ id: 'RestoreTest' });
export type RestoreTest = z.output<typeof restoreTestSchema>;

/** `plugin_missing`: the server has no plugin of Homeport's, or one that does not know dumps yet. */
export const dumpsSchema = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('listed'),
      /** Newest first. */
      dumps: z.array(dumpSchema),
      /** Room on the disk that holds the dumps; null: not told. */
      freeBytes: z.number().nullable(),
      /** The newest restore tests, newest first. The dump may be gone. */
      tests: z.array(restoreTestSchema),
    }),
    z.object({ kind: z.literal('plugin_missing') }),
  ])
  .meta({ id: 'Dumps' });
export type Dumps = z.output<typeof dumpsSchema>;

const byId = z.object({ id: idSchema });
const ofDump = z.object({ id: idSchema, dump: idSchema });
const operationReply = { params: byId, reply: operationSchema, status: 202 } as const;
const onApp = z.strictObject({ appLongname: appLongnameSchema });
const restart = {
  /** Restart the app, if it runs, so that it reads the variable. */
  restart: z.boolean().default(true),
};

export const databaseRoutes = {
  'GET /api/databases': {
    access: 'signed-in',
    summary: 'List databases',
    reply: z.array(databaseSchema),
  },
  'POST /api/databases': {
    access: 'signed-in',
    summary: 'Create a database on a server, as an operation',
    body: createDatabaseSchema,
    reply: operationSchema,
    status: 202,
  },
  'GET /api/databases/:id': {
    access: 'signed-in',
    summary: 'One database',
    params: byId,
    reply: databaseSchema,
  },
  'PATCH /api/databases/:id': {
    access: 'signed-in',
    summary: 'Change the database’s name',
    params: byId,
    body: z.strictObject({ version: versionSchema, name: nameSchema }),
    reply: databaseSchema,
  },
  'POST /api/databases/:id/refresh': {
    access: 'signed-in',
    summary: 'Read the database’s state from its server, and record it',
    params: byId,
    reply: databaseSchema,
  },
  'GET /api/databases/:id/connection-strings': {
    access: 'signed-in',
    summary: 'The connection strings with their password, read from the server',
    params: byId,
    reply: connectionStringsSchema,
  },
  'POST /api/operations/:id/remove-remains': {
    access: 'signed-in',
    summary: 'Remove what a creation of a database left on its server when it ended early',
    ...operationReply,
  },
  'POST /api/databases/:id/start': {
    access: 'signed-in',
    summary: 'Start the database',
    ...operationReply,
  },
  'POST /api/databases/:id/stop': {
    access: 'signed-in',
    summary: 'Stop the database and keep its container',
    ...operationReply,
  },
  'POST /api/databases/:id/restart': {
    access: 'signed-in',
    summary: 'Restart the database',
    ...operationReply,
  },
  'POST /api/databases/:id/link': {
    access: 'signed-in',
    summary: 'Link the database to an app of the same server',
    ...operationReply,
    body: onApp.extend(restart),
  },
  'POST /api/databases/:id/unlink': {
    access: 'signed-in',
    summary: 'Take the link to an app away',
    ...operationReply,
    body: onApp.extend(restart),
  },
  'POST /api/databases/:id/promote': {
    access: 'signed-in',
    // Dokku has no form without a restart.
    summary: 'Make the database the one that the app’s usual variable names; Dokku restarts the app',
    ...operationReply,
    body: onApp,
  },
  'GET /api/databases/:id/exposure': {
    access: 'signed-in',
    summary: 'Addresses and free ports of the server to expose the database on',
    params: byId,
    reply: exposureOfferSchema,
  },
  'POST /api/databases/:id/expose': {
    access: 'signed-in',
    summary: 'Open ports of the server that lead to the database',
    ...operationReply,
    body: exposeSchema,
  },
  'POST /api/databases/:id/unexpose': {
    access: 'signed-in',
    summary: 'Close the ports of the server that lead to the database',
    ...operationReply,
  },
  'POST /api/databases/:id/delete': {
    access: 'signed-in',
    summary: 'Delete the database and its data',
    ...operationReply,
    body: z.strictObject({
      confirmation: z.literal(deletion.word, `Type '${deletion.word}' to confirm.`),
      /** Take all links away first. Without it, a linked database is not deleted. */
      unlinkAll: z.boolean().default(false),
    }),
  },
  'GET /api/databases/:id/dumps': {
    access: 'signed-in',
    summary: 'The dumps of the database that its server keeps',
    params: byId,
    reply: dumpsSchema,
  },
  'POST /api/databases/:id/dumps': {
    access: 'signed-in',
    summary: 'Make a dump of the database on its server',
    ...operationReply,
  },
  'PUT /api/databases/:id/dumps/:dump': {
    access: 'signed-in',
    summary: 'Upload a dump under a new id; its length is declared, and half a file is not kept',
    params: ofDump,
    reply: dumpSchema,
    status: 201,
    kind: 'upload',
    atMostBytes: dumpBytes,
  },
  'GET /api/databases/:id/dumps/:dump/content': {
    access: 'signed-in',
    summary: 'Download a dump; the connection breaks off unless every byte and the checksum are right',
    params: ofDump,
    reply: z.never(),
    kind: 'download',
  },
  'DELETE /api/databases/:id/dumps/:dump': {
    access: 'signed-in',
    summary: 'Delete a dump from the server',
    params: ofDump,
    reply: z.object({ removed: z.literal(true) }),
  },
  'POST /api/databases/:id/dumps/:dump/restore': {
    access: 'signed-in',
    summary: 'Keep a dump of the present state, then restore this one',
    params: ofDump,
    body: z.strictObject({
      confirmation: z.literal(restoring.word, `Type '${restoring.word}' to confirm.`),
    }),
    reply: operationSchema,
    status: 202,
  },
  'POST /api/databases/:id/dumps/:dump/test': {
    access: 'signed-in',
    summary:
      'Restore the dump into a database made for this on the same server, count it, and remove that database',
    params: ofDump,
    reply: operationSchema,
    status: 202,
  },
  'GET /api/databases/:id/logs': {
    access: 'signed-in',
    summary: 'The last lines of the database’s log and what follows',
    params: byId,
    query: z.object({
      lines: z.coerce.number().int().min(1).max(databaseLogLines.most).default(databaseLogLines.first),
    }),
    reply: appLogEventSchema,
    kind: 'stream',
  },
  'GET /api/servers/:id/database-plugins': {
    access: 'signed-in',
    summary: 'The types of database that the server can make',
    params: byId,
    reply: databasePluginsSchema,
  },
  'GET /api/servers/:id/found-databases': {
    access: 'signed-in',
    summary: 'The databases of the server that Homeport does not know',
    params: byId,
    reply: z.array(foundDatabaseSchema),
  },
  'POST /api/servers/:id/import-databases': {
    access: 'signed-in',
    summary: 'Make records of the chosen databases of the server, with their links, as an operation',
    params: byId,
    body: importDatabasesSchema,
    reply: operationSchema,
    status: 202,
  },
} as const satisfies RouteTable;
