import { z } from 'zod';
import { keyIdSchema } from '../credentials/schema.ts';
import { leavingRecordsSchema, seenRecordsSchema } from '../domains/schema.ts';
import {
  emailSchema,
  epochMsSchema,
  hostnameSchema,
  idSchema,
  nameSchema,
  storableText,
  versionSchema,
} from '../fields/schema.ts';
import { operationSchema } from '../operations/schema.ts';
import type { RouteTable } from '../route.ts';
import { firstDeployBranch, keysPerCreation, logLines, starterNames } from './facts.ts';
import { defaultPlanSize, plans } from './plans.ts';
import { processTypeSchema } from './processes/schema.ts';
import { gitRef, repositoryName } from './repository-fields.ts';

export const planSizeSchema = z
  .number()
  .int()
  .min(0, 'A plan is between 0 and 10.')
  .max(plans.length - 1, 'A plan is between 0 and 10.');

export const deploymentSchema = z.object({
  status: z.enum(['never', 'deploying', 'succeeded', 'failed']),
  at: epochMsSchema.nullable(),
});

/** How an app ended if nobody stopped it. */
export const crashSchema = z.object({
  /** When the last container ended; null if the server did not report it. */
  at: epochMsSchema.nullable(),
  /** The processes that do not run; empty if the server did not report them. */
  processes: z.array(
    z.object({
      /** `web.1` */
      name: z.string(),
      exitCode: z.number().int(),
      /** How often Docker started the container again before. */
      restarts: z.number().int(),
      /** The server ended the container because memory ran out. */
      outOfMemory: z.boolean(),
    }),
  ),
});
export type Crash = z.output<typeof crashSchema>;

export const appSchema = z
  .object({
    id: idSchema,
    name: z.string(),
    longname: z.string(),
    serverId: idSchema,
    serverKey: z.string(),
    serverName: z.string(),
    /** The monitor id: a hash of the default domain. */
    monitorId: z.string(),
    /** The plan whose limits the app has; null: an imported app has no limits, or others. */
    plan: planSizeSchema.nullable(),
    domains: z.array(z.string()),
    /** The address that the open link leads to, with an unusual port; null while there is no address. */
    url: z.string().nullable(),
    /** Somebody stopped the app. An app that ended by itself has a `crash`. */
    stopped: z.boolean(),
    crash: crashSchema.nullable(),
    https: z.boolean(),
    /** The app was made elsewhere and imported from its server. */
    imported: z.boolean(),
    /** The app was imported and not read from its server yet: what Homeport knows of it is its name. */
    unread: z.boolean(),
    /** When its server was first found without the app; null while the server has the app. */
    missingSince: epochMsSchema.nullable(),
    repository: z.object({ fullName: z.string(), branch: z.string() }).nullable(),
    deployment: deploymentSchema,
    /** When the server last started the deployed version again, as far as it keeps that. */
    startedAt: epochMsSchema.nullable(),
    /** The branch whose push deploys; null: the first branch that is pushed becomes it. */
    deployBranch: z.string().nullable(),
    /**
     * The ids of the keys that its creation allowed to push. Empty: every key of the server may push. Null: not
     * known.
     */
    keys: z.array(z.string()).nullable(),
    createdAt: epochMsSchema,
    version: versionSchema,
  })
  .meta({ id: 'App' });
export type App = z.output<typeof appSchema>;

/** The code that a new app begins with: a small program of Homeport's own, or a branch of a repository, which is linked to the app. */
export const beginSchema = z
  .discriminatedUnion('from', [
    z.strictObject({ from: z.literal('starter'), starter: z.enum(starterNames) }),
    z.strictObject({ from: z.literal('repository'), fullName: repositoryName, branch: gitRef }),
  ])
  .meta({ id: 'BeginApp' });
export type BeginApp = z.output<typeof beginSchema>;

export const createAppSchema = z.strictObject({
  name: nameSchema,
  serverId: idSchema,
  plan: planSizeSchema.default(defaultPlanSize),
  /** Public keys that may push; at least one. */
  keyIds: z
    .array(keyIdSchema)
    .min(1, 'Choose at least one key.')
    .max(keysPerCreation, `Choose at most ${keysPerCreation} keys.`),
  /** The e-mail for the certificate authority; absent: no HTTPS yet. */
  httpsEmail: emailSchema.optional(),
  /** Whether checks find out from outside if the app answers. They can be set up later. */
  watched: z.boolean().default(true),
  /** What the creation deploys; absent: nothing, and the first push does. */
  begin: beginSchema.optional(),
  /** A domain of the person's own, besides the default one. `seen` has its record made at Cloudflare; absent: DNS stays as it is. */
  ownDomain: z.strictObject({ domain: hostnameSchema, seen: seenRecordsSchema.optional() }).optional(),
});
export type CreateApp = z.input<typeof createAppSchema>;

/**
 * How to deploy to an app on its server. A finished `app.create` operation carries the instructions in
 * `result`.
 */
export const deployInstructionsSchema = z
  .object({
    remoteUrl: z.string(),
    keyNames: z.array(z.string()),
    appUrl: z.string().nullable(),
    commands: z.array(z.object({ title: z.string(), command: z.string() })),
    /** The branch whose push deploys: the app's own, or the one that its first push sets. */
    branch: z.string().default(firstDeployBranch),
    /** A command for the server that makes another branch the one that deploys. */
    branchCommand: z.string().default(''),
  })
  .meta({ id: 'DeployInstructions' });
export type DeployInstructions = z.output<typeof deployInstructionsSchema>;

/**
 * One event of the live log view. A reader who comes back with the last event's id gets the lines since then,
 * once.
 */
export const appLogEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('lines'),
    lines: z.array(z.object({ at: epochMsSchema.nullable(), process: z.string(), text: z.string() })),
  }),
  /** Lines may be missing before the next ones: lines of one process, or of any. */
  z.object({ type: z.literal('missing'), process: z.string().nullable() }),
  /**
   * The next lines of this process come from a new container. All lines of the old container were sent. In the log
   * of a deploy: what was sent before belongs to an earlier deploy.
   */
  z.object({ type: z.literal('anew'), process: z.string() }),
  /** The server has answered, and there is no line: the app has written nothing yet, or no log was kept. */
  z.object({ type: z.literal('empty') }),
  /**
   * The server gives the console's login no terminal, and following without one would leave processes there. So
   * the console does not follow: it reads the log again after each such time.
   */
  z.object({ type: z.literal('polled'), everyMs: z.int().positive() }),
  /**
   * The server says something about the app that its record does not hold. Reading writes nothing, so the
   * reader asks for the record with `POST /api/apps/:id/refresh`. Comes again until the record holds it.
   */
  z.object({ type: z.literal('changed') }),
  /**
   * The stream is closed. With a reason, the server closed it: a deploy replaced the containers, or the app
   * stopped. With null, the reader only has to open it again.
   */
  z.object({ type: z.literal('ended'), reason: z.string().nullable() }),
]);
export type AppLogEvent = z.output<typeof appLogEventSchema>;

const byId = z.object({ id: idSchema });
const operationReply = { params: byId, reply: operationSchema, status: 202 } as const;

export const appRoutes = {
  'GET /api/apps': { access: 'signed-in', summary: 'List apps', reply: z.array(appSchema) },
  'POST /api/apps': {
    access: 'signed-in',
    summary: 'Create an app on a server, as an operation',
    body: createAppSchema,
    reply: operationSchema,
    status: 202,
  },
  'GET /api/apps/:id': { access: 'signed-in', summary: 'One app', params: byId, reply: appSchema },
  'PATCH /api/apps/:id': {
    access: 'signed-in',
    summary: 'Change the app’s name',
    params: byId,
    body: z.strictObject({ version: versionSchema, name: nameSchema }),
    reply: appSchema,
  },
  'GET /api/apps/:id/deploy-instructions': {
    access: 'signed-in',
    summary: 'How to deploy to this app',
    params: byId,
    reply: deployInstructionsSchema,
  },
  'POST /api/apps/:id/refresh': {
    access: 'signed-in',
    summary: 'Read the app’s state and last deploy from its server, and record both',
    params: byId,
    query: z.object({
      /** True: the app's log said `changed`. The reading that found the change does, if it is only seconds old. */
      noticed: z.stringbool().default(false),
    }),
    reply: appSchema,
  },
  'POST /api/apps/:id/start': { access: 'signed-in', summary: 'Start the app', ...operationReply },
  'POST /api/apps/:id/stop': { access: 'signed-in', summary: 'Stop the app', ...operationReply },
  'POST /api/apps/:id/restart': { access: 'signed-in', summary: 'Restart the app', ...operationReply },
  'POST /api/apps/:id/rebuild': { access: 'signed-in', summary: 'Rebuild the app', ...operationReply },
  'POST /api/apps/:id/destroy': {
    access: 'signed-in',
    summary: 'Destroy the app and all that Dokku keeps of it; its storage stays unless it is named',
    ...operationReply,
    body: z.strictObject({
      confirmation: z.literal('destroy', "Type 'destroy' to confirm."),
      /** The `hostPath` of each mount whose folder is deleted with the app. A folder that another app uses stays. */
      storage: z.array(storableText(255)).max(20, 'Choose at most 20 folders.').default([]),
      /** DNS records that are removed once the app is gone from its server. One that points elsewhere by then stays. */
      records: leavingRecordsSchema,
    }),
  },
  'GET /api/apps/:id/logs': {
    access: 'signed-in',
    summary: 'The last lines of the app’s log and what follows',
    params: byId,
    query: z.object({
      /** Lines of each container. */
      lines: z.coerce.number().int().min(1).max(logLines.most).default(logLines.first),
      /** Only one kind of process: `web`, `worker`. */
      process: processTypeSchema.optional(),
      /** False: the stream ends after the last lines. */
      follow: z.stringbool().default(true),
    }),
    reply: appLogEventSchema,
    kind: 'stream',
  },
  'GET /api/apps/:id/deploy-log': {
    access: 'signed-in',
    summary: 'The log of the running deploy, or of the last one, and word of changes on the server',
    params: byId,
    query: z.object({
      /** False: only the log of a deploy that runs. Reading the log of a past deploy costs the server a command. */
      past: z.stringbool().default(true),
    }),
    reply: appLogEventSchema,
    kind: 'stream',
  },
} as const satisfies RouteTable;
