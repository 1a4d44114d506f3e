import { z } from 'zod';
import { leavingRecordsSchema } from '../domains/schema.ts';
import { boundedText, trimmedText } from '../fields/bounded-text.ts';
import { hostnameCharacters, pathCharacters } from '../fields/facts.ts';
import {
  emailSchema,
  epochMsSchema,
  hostnameSchema,
  idSchema,
  storableText,
  versionSchema,
} from '../fields/schema.ts';
import { operationSchema } from '../operations/schema.ts';
import type { RouteTable } from '../route.ts';
import {
  environmentKeyCharacters,
  environmentKeyMalformed,
  environmentKeyPattern,
  environmentKeyTooLong,
  environmentValueCharacters,
  environmentValueProblem,
  environmentValueTooLong,
} from './environment.ts';
import { leftContainersAtOnce } from './facts.ts';
import { processesSchema } from './processes/schema.ts';
import { pushListSchema } from './push-keys/schema.ts';
import { commitSchema, releasesSchema } from './releases/schema.ts';
import { branchName, repositoryName } from './repository-fields.ts';
import { appSchema, planSizeSchema } from './schema.ts';
import { siteSchema } from './site/schema.ts';

export const environmentKeySchema = boundedText(environmentKeyCharacters, environmentKeyTooLong).regex(
  environmentKeyPattern,
  environmentKeyMalformed,
);

const environmentValueSchema = storableText(environmentValueCharacters, environmentValueTooLong).superRefine(
  (value, context) => {
    const problem = environmentValueProblem(value);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  },
);

/** Read from the server each time and stored nowhere, because values are secrets. */
export const environmentSchema = z
  .object({
    values: z.record(z.string(), z.string()),
    /** Variables that Dokku or a linked service manages. The page shows them and does not edit them. */
    managed: z.array(z.string()),
    readAt: epochMsSchema,
  })
  .meta({ id: 'Environment' });
export type Environment = z.output<typeof environmentSchema>;

export const deploySchema = z
  .object({
    id: z.string(),
    source: z.string(),
    status: z.enum(['running', 'succeeded', 'failed', 'canceled']),
    startedAt: epochMsSchema,
    finishedAt: epochMsSchema.nullable(),
    /** Null where the server did not note it: without Homeport’s plugin, before its version 1.9, and where no code was built. */
    commit: commitSchema.nullable().default(null),
  })
  .meta({ id: 'Deploy' });
export type Deploy = z.output<typeof deploySchema>;

/** `supported` is false if the server’s Dokku keeps no history (before 0.38). */
export const deployHistorySchema = z.object({
  supported: z.boolean(),
  deploys: z.array(deploySchema),
  /** What the server keeps to go back to without a build; null: its plugin keeps nothing (before 1.12). */
  releases: releasesSchema.nullable().default(null),
});

/** The account that read the readme on the server. */
const readBy = { account: z.string() };

export const readmeSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('none'), ...readBy }),
    z.object({ kind: z.literal('too_long'), ...readBy }),
    z.object({ kind: z.literal('text'), text: z.string(), ...readBy }),
    /**
     * The readme was not read. `user`: the login that may read it; null: the account of this server may not
     * become root.
     */
    z.object({ kind: z.literal('needs_root'), user: z.string().nullable() }),
  ])
  .meta({ id: 'Readme' });
export type Readme = z.output<typeof readmeSchema>;

/** The limits of one container, which Docker has held it to since it was made; null: no limit. */
export const containerLimitsSchema = z
  .object({
    /** `web.1` */
    name: z.string(),
    state: z.string(),
    memoryBytes: z.number().nullable(),
    cpus: z.number().nullable(),
    /** How often Docker started the container again because it failed. */
    restarts: z.number(),
    /** The server ended the container because memory ran out. */
    outOfMemory: z.boolean(),
  })
  .meta({ id: 'ContainerLimits' });
export type ContainerLimits = z.output<typeof containerLimitsSchema>;

/**
 * The limits that are set on the server and those in force there, beside the plan’s. Null if not set or not
 * known.
 */
export const resourcesSchema = z
  .object({
    /** Limits of containers that are made from now on. */
    memoryMb: z.number().nullable(),
    cpus: z.number().nullable(),
    hostCpus: z.number().nullable(),
    /** Null if the server did not report them. */
    containers: z.array(containerLimitsSchema).nullable(),
  })
  .meta({ id: 'Resources' });
export type Resources = z.output<typeof resourcesSchema>;

export const systemInformationSchema = z
  .object({
    processes: z.array(z.object({ name: z.string(), state: z.string(), containerId: z.string() })),
    /** How the running version came: `git-push`, `docker-image`…, and what it was built from. */
    source: z.string().nullable(),
    sourceDetail: z.string().nullable(),
    deployBranch: z.string().nullable(),
    /** Port mappings as Dokku writes them: `http:80:5000`. */
    ports: z.array(z.string()),
    proxy: z.string().nullable(),
    /** Null: not told, as by Homeport’s plugin before 1.14. */
    site: siteSchema.nullable().optional(),
    createdAt: epochMsSchema.nullable(),
    /** What the app’s containers publish past the proxy and the firewall: `0.0.0.0:32768->5000/tcp`. Null: not told. */
    published: z.array(z.string()).nullable().optional(),
    /** Containers of a deploy that failed or still runs. Null: not told. */
    upcoming: z
      .array(
        z.object({
          /** Absent from an older plugin of Homeport’s. */
          id: z.string().optional(),
          name: z.string(),
          state: z.string(),
          createdAt: epochMsSchema.nullable(),
        }),
      )
      .nullable()
      .optional(),
  })
  .meta({ id: 'SystemInformation' });
export type SystemInformation = z.output<typeof systemInformationSchema>;

export const mountSchema = z.object({
  hostPath: z.string(),
  containerPath: z.string(),
  /** Homeport can delete the folder with the app: it lies in Dokku’s folder for storage. */
  removable: z.boolean(),
  /** Bytes in use; null if the account may not read all of them. */
  usedBytes: z.number().nullable(),
  /** When the size was measured. */
  measuredAt: epochMsSchema,
});
export type Mount = z.output<typeof mountSchema>;

const reading = <T extends z.ZodType>(told: T) => z.object({ told, readAt: epochMsSchema }).nullable();

/** The last answers of the server that the console keeps, each with the time of its reading; null: none yet. */
export const knownSchema = z
  .object({
    deploys: reading(deployHistorySchema),
    resources: reading(resourcesSchema),
    system: reading(systemInformationSchema),
    storage: reading(z.array(mountSchema)),
    readme: reading(readmeSchema),
    processes: reading(processesSchema),
    pushers: reading(pushListSchema),
  })
  .meta({ id: 'Known' });
export type Known = z.output<typeof knownSchema>;
export const portMappingSchema = z.object({
  scheme: z.enum(['http', 'https']),
  hostPort: z.number().int(),
  containerPort: z.number().int(),
});
export type PortMapping = z.output<typeof portMappingSchema>;

/** Where nginx serves the app, and where it would serve it with port 80. */
export const appPortsSchema = z
  .object({
    now: z.array(portMappingSchema),
    /** With port 80, and 443 if the app has a certificate, in place of the other ports. */
    web: z.array(portMappingSchema),
    /**
     * The ports that the app would leave while another app answers on them: nginx shows the first app of a
     * port for every name that no app on this port has.
     */
    taken: z.array(z.object({ port: z.number().int(), by: z.string() })),
    /** False if the server has more apps than were asked. */
    complete: z.boolean(),
  })
  .meta({ id: 'AppPorts' });
export type AppPorts = z.output<typeof appPortsSchema>;

/**
 * One thing that would make a certificate request fail. The checks come before a request, because the
 * authority limits requests.
 */
export const httpsCheckSchema = z
  .object({
    domain: z.string(),
    check: z.enum([
      'has_domain',
      'no_wildcard',
      'resolves',
      'points_here',
      'no_other_ipv6',
      'no_other_ipv4',
      'port_80',
      'not_proxied',
      'in_zone',
    ]),
    ok: z.boolean(),
    text: z.string(),
  })
  .meta({ id: 'HttpsCheck' });
export type HttpsCheck = z.output<typeof httpsCheckSchema>;

const containerDir = trimmedText(pathCharacters, `A path has at most ${pathCharacters} characters.`)
  .regex(/^(?:\/[A-Za-z0-9._-]+)+\/?$/, 'Enter an absolute path such as /app/storage.')
  .refine((path) => !path.split('/').includes('..'), 'A path cannot contain “..”.');

const byId = z.object({ id: idSchema });
const operationReply = { params: byId, reply: operationSchema, status: 202 } as const;

export const appSettingsRoutes = {
  'GET /api/apps/:id/environment': {
    access: 'signed-in',
    summary: 'Read the app’s environment from its server',
    params: byId,
    reply: environmentSchema,
  },
  'PATCH /api/apps/:id/environment': {
    access: 'signed-in',
    summary: 'Set and remove variables; an empty value removes its key. Restarts once, or not at all',
    params: byId,
    body: z.strictObject({
      values: z
        .record(environmentKeySchema, environmentValueSchema)
        .refine((values) => Object.keys(values).length > 0, 'Change at least one variable.'),
      /**
       * The values that the page showed, null for a key that was not there. If the server now has other
       * values, nothing is changed, and `current` of the problem names the `keys`. Without `from`, nothing is
       * compared.
       */
      from: z.record(environmentKeySchema, storableText(65_536).nullable()).optional(),
      restart: z.boolean(),
    }),
    reply: z.object({
      environment: environmentSchema,
      operation: operationSchema.nullable(),
      /** Why the app does not restart although the variables are saved; null: it does, or nobody asked for that. */
      notRestarted: z.string().nullable(),
    }),
  },
  'GET /api/apps/:id/known': {
    access: 'signed-in',
    summary: 'What the server last reported of the app; asks it nothing',
    params: byId,
    reply: knownSchema,
  },
  'GET /api/apps/:id/deploys': {
    access: 'signed-in',
    summary: 'The deploys that the server’s Dokku remembers, newest first',
    params: byId,
    reply: deployHistorySchema,
  },
  'POST /api/apps/:id/go-back': {
    access: 'signed-in',
    summary:
      'Have the server build the commit of an earlier successful deploy anew, and deploy it; Dokku’s deploy branch moves to it',
    params: byId,
    body: z.strictObject({
      sha: boundedText(40).regex(/^[0-9a-f]{40}$/, 'Name the commit by its 40 characters.'),
    }),
    reply: operationSchema,
    status: 202,
  },
  'GET /api/apps/:id/readme': {
    access: 'signed-in',
    summary: 'The readme of the deployed branch',
    params: byId,
    reply: readmeSchema,
  },
  'GET /api/apps/:id/resources': {
    access: 'signed-in',
    summary: 'The limits set on the server, and those that its containers have',
    params: byId,
    reply: resourcesSchema,
  },
  'POST /api/apps/:id/plan': {
    access: 'signed-in',
    summary:
      'Change the plan and restart; refused if the app no longer has the plan `from` that the page showed',
    ...operationReply,
    body: z.strictObject({ from: planSizeSchema.nullable(), plan: planSizeSchema }),
  },
  'GET /api/apps/:id/system': {
    access: 'signed-in',
    summary: 'Containers, image, ports and proxy',
    params: byId,
    reply: systemInformationSchema,
  },
  'POST /api/apps/:id/left-containers/remove': {
    access: 'signed-in',
    summary:
      'Remove containers that failed deploys left; the server checks that each is one and nothing else',
    ...operationReply,
    body: z.strictObject({
      containers: z
        .array(boundedText(64).regex(/^[0-9a-f]{64}$/, 'Name each container by its whole id.'))
        .min(1, 'Choose a container.')
        .max(leftContainersAtOnce),
    }),
  },
  'POST /api/apps/:id/domains': {
    access: 'signed-in',
    summary: 'Add a domain',
    ...operationReply,
    body: z.strictObject({ domain: hostnameSchema }),
  },
  'POST /api/apps/:id/domains/remove': {
    access: 'signed-in',
    summary: 'Remove a domain',
    ...operationReply,
    body: z.strictObject({
      domain: storableText(hostnameCharacters).min(1, 'Choose a domain.'),
      /** DNS records that are removed once the app has the domain no longer. */
      records: leavingRecordsSchema,
    }),
  },
  'POST /api/apps/:id/https/checks': {
    access: 'signed-in',
    summary: 'Check what would make a certificate request fail',
    params: byId,
    reply: z.array(httpsCheckSchema),
  },
  'POST /api/apps/:id/https': {
    access: 'signed-in',
    summary: 'Set the e-mail for the certificate authority and enable HTTPS',
    ...operationReply,
    body: z.strictObject({ email: emailSchema }),
  },
  'GET /api/apps/:id/storage': {
    access: 'signed-in',
    summary: 'Folders that outlive deploys, and their sizes',
    params: byId,
    reply: z.array(mountSchema),
  },
  'POST /api/apps/:id/storage': {
    access: 'signed-in',
    summary: 'Mount a folder that outlives deploys',
    ...operationReply,
    body: z.strictObject({
      containerPath: containerDir,
      /**
       * The `hostPath` of another mount of the app, whose folder is mounted here too. Absent: a folder of its
       * own.
       */
      sharedWith: storableText(255).optional(),
    }),
  },
  'GET /api/apps/:id/ports': {
    access: 'signed-in',
    summary: 'The ports that the app is served on, and what a move to port 80 would change',
    params: byId,
    reply: appPortsSchema,
  },
  'POST /api/apps/:id/ports': {
    access: 'signed-in',
    summary: 'Serve the app on port 80, and on 443 if it has a certificate',
    ...operationReply,
    /** `keep`: the app stays on its other ports too. */
    body: z.strictObject({ keep: z.boolean() }),
  },
  'PUT /api/apps/:id/repository': {
    access: 'signed-in',
    summary: 'Name the repository that deploys to this app; null unlinks it',
    params: byId,
    body: z.strictObject({
      version: versionSchema,
      repository: z.strictObject({ fullName: repositoryName, branch: branchName }).nullable(),
    }),
    reply: appSchema,
  },
} as const satisfies RouteTable;
