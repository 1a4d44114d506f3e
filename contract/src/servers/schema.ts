import { z } from 'zod';
import { agentSubprotocol, hostKeyTypes } from '../connections/facts.ts';
import {
  consoleMessageSchema,
  fingerprintSchema,
  liveConnectionSchema,
  pageMessageSchema,
} from '../connections/schema.ts';
import { keyIdSchema } from '../credentials/schema.ts';
import { leavingRecordsSchema } from '../domains/schema.ts';
import { trimmedText } from '../fields/bounded-text.ts';
import {
  addressSchema,
  descriptionSchema,
  epochMsSchema,
  idSchema,
  locationSchema,
  nameSchema,
  portSchema,
  usernameSchema,
  versionSchema,
} from '../fields/schema.ts';
import { messages } from '../messages.ts';
import { operationSchema, ranCommandSchema } from '../operations/schema.ts';
import type { RouteTable } from '../route.ts';
import { defaultSshPort, pluginRemoval, scheduleStandings, subdomainCharacters } from './facts.ts';
import { importAppsSchema, importOfferSchema } from './import-schema.ts';

/** The id of a stored key, or the literal `password`. */
export const credentialSchema = z.union([keyIdSchema, z.literal('password')]);

/** Lower-cased and trimmed; letters and digits only. */
export const subdomainSchema = trimmedText(
  subdomainCharacters,
  `Use at most ${subdomainCharacters} characters.`,
)
  .toLowerCase()
  .min(1, 'Enter a subdomain.')
  .regex(/^[a-z0-9]+$/, messages.subdomainCharacters);

export const serverSchema = z
  .object({
    id: idSchema,
    /** Short and random, for addresses: /server/{key}. */
    key: z.string(),
    name: z.string(),
    description: z.string(),
    /** Where the server stands, in its person’s words; empty without any. */
    location: z.string(),
    /** The country by its address, from the console’s own database; null if that does not know it. */
    country: z.string().nullable(),
    /** The provider that the machine’s own firmware names, as the console or the agent read it; null if it names none. */
    provider: z.string().nullable(),
    /** An IPv4 address, an IPv6 address as RFC 5952 writes it, or a host name in ASCII. */
    ip: z.string(),
    port: z.number(),
    username: z.string(),
    /** Null: the server is read-only. Its agent reports, and the console cannot log in. */
    credential: credentialSchema.nullable(),
    subdomain: z.string(),
    /** The server is used without Dokku. */
    metal: z.boolean(),
    /** The monitor id (`nq`); null when there is none yet. */
    monitorId: z.string().nullable(),
    /**
     * The store’s copy of the pin, which the page shows. For logins with a key, the page’s own pin decides.
     */
    hostKeyFingerprint: fingerprintSchema.nullable(),
    hostKeyAlgorithm: z.string().nullable(),
    setup: z.enum(['new', 'installing', 'failed', 'ready']),
    agentInstalled: z.boolean(),
    /** What the given user may do on the server, once known: be root, become root by sudo, or neither. */
    login: z.enum(['root', 'sudo', 'plain']).nullable(),
    /**
     * True once the console’s own account `homeport` works on the server. App actions then run through it.
     */
    consoleAccount: z.boolean(),
    /**
     * The fingerprint of the one key that this account accepts; null if there is no such account or no key.
     */
    accountKey: fingerprintSchema.nullable(),
    dokkuVersion: z.string().nullable(),
    /**
     * Homeport’s own Dokku plugin: the version on the server, null where none answers, and the version that
     * this console would install.
     */
    dokkuPlugin: z.object({ installed: z.string().nullable(), offered: z.string() }),
    /**
     * The server’s own global domains, where linking found others than Homeport’s and kept them. `kept`: the
     * person said that they stay; until then the page asks. Null: there are none, or they are Homeport’s.
     */
    globalDomains: z.object({ found: z.array(z.string()), kept: z.boolean() }).nullable(),
    /** The account and the address that `git push` goes to. */
    git: z.object({ user: z.string(), host: z.string(), port: z.number() }),
    /** Generated for the demo. Every page says so, and nothing can run on the server. */
    simulated: z.boolean(),
    /** The owner allowed one-off commands in the server's apps. */
    commandsAllowed: z.boolean(),
    /** The owner allowed terminals on the server itself. */
    shellAllowed: z.boolean(),
    /** A stand-in for Dokku, for tests and the demo. It isolates nothing. */
    sandbox: z.boolean(),
    createdAt: epochMsSchema,
    version: versionSchema,
  })
  .meta({ id: 'Server' });
export type Server = z.output<typeof serverSchema>;

export const addServerSchema = z.strictObject({
  name: nameSchema,
  /** An IPv4 address, an IPv6 address or a host name. */
  ip: addressSchema,
  port: portSchema.default(defaultSshPort),
  username: usernameSchema.default('root'),
  /** Null links the server read-only: nothing ever runs on it. */
  credential: credentialSchema.nullable(),
  subdomain: subdomainSchema,
  /** False: the server is used without Dokku. */
  installDokku: z.boolean().default(true),
  /** The user says that this is not the machine that is linked already under the same address. */
  otherMachine: z.boolean().default(false),
});
export type AddServer = z.input<typeof addServerSchema>;

export const editServerSchema = z.strictObject({
  version: versionSchema,
  name: nameSchema.optional(),
  description: descriptionSchema.optional(),
  location: locationSchema.optional(),
  credential: credentialSchema.nullable().optional(),
  username: usernameSchema.optional(),
});
export type EditServer = z.input<typeof editServerSchema>;

export const moveServerSchema = z.strictObject({
  version: versionSchema,
  ip: addressSchema,
  port: portSchema,
  /** Another name under the shared suffix; absent: the present one stays. */
  subdomain: subdomainSchema.optional(),
  /** DNS records that lead to the earlier address, and are changed to the new one. */
  records: leavingRecordsSchema,
});
export type MoveServer = z.output<typeof moveServerSchema>;

const namedSchema = z.object({ id: idSchema, name: z.string() });

/** What names the present address of a server, or its subdomain, and does not follow a change by itself. */
export const serverTiesSchema = z
  .object({
    /** The domain under which its apps have their default domains. */
    globalDomain: z.string(),
    /** Apps with domains under it. */
    apps: z.array(namedSchema.extend({ domains: z.array(z.string()) })),
    /** Apps to which GitHub deploys at the present address. */
    deployments: z.array(namedSchema),
    /** Databases with open ports, to which programs elsewhere may connect. */
    exposed: z.array(namedSchema),
    /** Proxies that ask a website at the address, or at a domain under the global one. */
    proxies: z.array(namedSchema),
  })
  .meta({ id: 'ServerTies' });
export type ServerTies = z.output<typeof serverTiesSchema>;

/**
 * The firewall’s status, asked over SSH. `text` is the output of `ufw status`. A refused login is an error,
 * not an answer.
 */
export const firewallSchema = z
  .object({
    state: z.enum(['active', 'inactive', 'not_installed', 'no_permission', 'failed']),
    text: z.string(),
    command: ranCommandSchema,
    checkedAt: epochMsSchema,
  })
  .meta({ id: 'Firewall' });
export type Firewall = z.output<typeof firewallSchema>;

const byId = z.object({ id: idSchema });

const serverRemovalSchema = z
  .object({
    databases: z.array(
      z.object({
        id: idSchema,
        name: z.string(),
        /** Null: it has no scheduled backups. */
        schedule: z.enum(scheduleStandings).nullable(),
      }),
    ),
  })
  .meta({ id: 'ServerRemoval' });
export type ServerRemoval = z.output<typeof serverRemovalSchema>;

export const serverRoutes = {
  'GET /api/servers': { access: 'signed-in', summary: 'List servers', reply: z.array(serverSchema) },
  'POST /api/servers': {
    access: 'signed-in',
    summary: 'Link a server; nothing is run on it yet',
    body: addServerSchema,
    reply: serverSchema,
    status: 201,
  },
  'GET /api/servers/:id': { access: 'signed-in', summary: 'One server', params: byId, reply: serverSchema },
  'PATCH /api/servers/:id': {
    access: 'signed-in',
    summary: 'Change name, description, location, credential or account',
    params: byId,
    body: editServerSchema,
    reply: serverSchema,
  },
  'GET /api/subdomains': {
    access: 'signed-in',
    summary: 'The claimed subdomain names, and one that is free',
    reply: z.object({ claimed: z.array(z.string()), suggestion: z.string() }),
  },
  'PUT /api/servers/:id/address': {
    access: 'signed-in',
    summary: 'Give another address of the same machine; its host key has to stay the one that was accepted',
    confirm: true,
    params: byId,
    body: moveServerSchema,
    /** The operation changes DNS records; null: there are none to change. */
    reply: z.object({ server: serverSchema, operation: operationSchema.nullable() }),
  },
  'GET /api/servers/:id/ties': {
    access: 'signed-in',
    summary: 'What names the present address of the server, and does not follow a change by itself',
    params: byId,
    reply: serverTiesSchema,
  },
  'PUT /api/servers/:id/host-key': {
    access: 'signed-in',
    summary: 'Accept another host key; the request names the key that it replaces',
    params: byId,
    body: z.strictObject({
      from: fingerprintSchema.nullable(),
      to: fingerprintSchema,
      /**
       * The type of the accepted key (`ssh-ed25519`), which is asked for first from then on; null if the page
       * does not know it.
       */
      algorithm: z.enum(hostKeyTypes).nullable(),
    }),
    reply: serverSchema,
  },
  'POST /api/servers/:id/install': {
    access: 'signed-in',
    summary: 'Install the monitoring agent and Dokku (or configure the server without it)',
    params: byId,
    reply: operationSchema,
    status: 202,
  },
  'POST /api/servers/:id/dokku': {
    access: 'signed-in',
    summary:
      'Install Dokku on a server that is used without it; apps and databases can be made there afterwards',
    params: byId,
    reply: operationSchema,
    status: 202,
  },
  'POST /api/servers/:id/agent': {
    access: 'signed-in',
    summary: 'Install the monitoring agent again',
    params: byId,
    reply: operationSchema,
    status: 202,
  },
  'POST /api/servers/:id/agent-line': {
    access: 'signed-in',
    summary:
      'Make a new token for the agent of a read-only server; the line that installs the agent with it is shown once',
    params: byId,
    reply: z.object({
      /** For a shell on the machine. Holds the token, which an earlier line’s token gives way to. */
      line: z.string(),
    }),
    status: 201,
  },
  'POST /api/servers/:id/account': {
    access: 'signed-in',
    summary: 'Make the console’s own account accept the credential’s key in place of an earlier one',
    params: byId,
    reply: operationSchema,
    status: 202,
  },
  'POST /api/servers/:id/plugin': {
    access: 'signed-in',
    summary: 'Install Homeport’s own Dokku plugin, or its newer version',
    params: byId,
    reply: operationSchema,
    status: 202,
  },
  'POST /api/servers/:id/global-domain': {
    access: 'signed-in',
    summary: 'Replace the server’s global domain by the one that Homeport uses for its apps',
    params: byId,
    reply: operationSchema,
    status: 202,
  },
  'POST /api/servers/:id/global-domain/keep': {
    access: 'signed-in',
    summary: 'Record that the server’s own global domain stays; nothing changes on the server',
    params: byId,
    reply: serverSchema,
  },
  'POST /api/servers/:id/commands/allow': {
    access: 'signed-in',
    summary: 'Allow one-off commands and terminals in the apps of this server; nothing changes on the server',
    confirm: true,
    params: byId,
    reply: serverSchema,
  },
  'POST /api/servers/:id/commands/forbid': {
    access: 'signed-in',
    summary:
      'Allow no one-off commands and terminals in the apps of this server; commands that run go on, terminals end',
    params: byId,
    reply: serverSchema,
  },
  'POST /api/servers/:id/shell/allow': {
    access: 'signed-in',
    summary: 'Allow terminals on the server itself; nothing changes on the server',
    confirm: true,
    params: byId,
    reply: serverSchema,
  },
  'POST /api/servers/:id/shell/forbid': {
    access: 'signed-in',
    summary: 'Allow no terminals on the server itself; those that are open end',
    params: byId,
    reply: serverSchema,
  },
  'GET /api/dokku-plugin': {
    access: 'signed-in',
    summary: 'The files of Homeport’s own Dokku plugin',
    reply: z.object({
      version: z.string(),
      folder: z.string(),
      files: z.array(z.object({ path: z.string(), text: z.string() })),
    }),
  },
  'GET /api/servers/:id/removal': {
    access: 'signed-in',
    summary:
      'The databases that would leave Homeport with the server, and their scheduled backups, as far as Homeport knows',
    params: byId,
    reply: serverRemovalSchema,
  },
  'POST /api/servers/:id/remove': {
    access: 'signed-in',
    summary:
      'Remove the server; with `uninstall` its agent and the console’s account are removed from the machine first',
    params: byId,
    body: z.strictObject({
      uninstall: z.boolean(),
      /** DNS records that are removed once the machine is clean. Only with `uninstall`, because they need an operation. */
      records: leavingRecordsSchema,
      /**
       * With it, Homeport’s plugin goes too, and so do the backups that it makes on schedule. Only with `uninstall`. Without it, both
       * stay.
       */
      plugin: z
        .strictObject({
          confirmation: z.literal(pluginRemoval.word, `Type '${pluginRemoval.word}' to confirm.`),
        })
        .nullable()
        .default(null),
    }),
    reply: z.object({ operation: operationSchema.nullable() }),
    status: 202,
  },
  'POST /api/servers/:id/firewall': {
    access: 'signed-in',
    summary: 'Ask the server for its firewall status',
    params: byId,
    reply: firewallSchema,
  },
  'GET /api/servers/:id/apps': {
    access: 'signed-in',
    summary: 'The apps that the server’s Dokku has, ours and others’',
    params: byId,
    reply: z.array(z.object({ longname: z.string(), appId: idSchema.nullable() })),
  },
  'GET /api/servers/:id/import': {
    access: 'signed-in',
    summary: 'The apps of the server that have no record, and what each of them has, as it is read',
    params: byId,
    query: z.object({}),
    reply: importOfferSchema,
    kind: 'stream',
  },
  'POST /api/servers/:id/import': {
    access: 'signed-in',
    summary: 'Make records of the chosen apps of the server and read each of them, as an operation',
    params: byId,
    body: importAppsSchema,
    reply: operationSchema,
    status: 202,
  },
  'GET /api/servers/:id/connection': {
    access: 'signed-in',
    summary: 'Open a connection; a page or a terminal answers as the SSH agent',
    params: byId,
    reply: consoleMessageSchema,
    kind: 'socket',
    subprotocol: agentSubprotocol,
    fromCaller: pageMessageSchema,
  },
  'DELETE /api/servers/:id/connection': {
    access: 'signed-in',
    summary: 'Close this session’s connection to the server',
    params: byId,
    reply: z.object({ closed: z.boolean() }),
  },
  'GET /api/connections': {
    access: 'signed-in',
    summary: 'This session’s live connections',
    reply: z.array(liveConnectionSchema),
  },
} as const satisfies RouteTable;
