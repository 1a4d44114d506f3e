import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { HttpClient } from './http-client.ts';
import { type Attack, anyOf } from './run-attacks.ts';

/** The means of an attack: an account, a server of that account that is linked and connected, and its apps. */
export type Hostile = {
  /** The same session from several addresses. */
  clients: readonly HttpClient[];
  signal: AbortSignal;
  serverId: string;
  appIds: readonly string[];
  /** Opens a connection to a linked server of the account and waits for the result. */
  open(serverId: string): Promise<unknown>;
  /** Linked servers with a hostile handshake. */
  poisonedServers: readonly string[];
  /** Opens the live socket of one more tab, floods it and never reads. */
  floodLiveSocket(): Promise<unknown>;
};

const letters = 'a'.repeat(150);

/** Texts on which superlinear patterns took seconds, or which grow until a schema has to refuse them. */
const texts = [
  `/${letters}!`,
  `${'='.repeat(5_000)}!`,
  `${'a.'.repeat(120)}!`,
  ' '.repeat(900_000),
  `${'`'.repeat(100_000)}`,
  `-----BEGIN ${'A'.repeat(20_000)}`,
  '\u202e\u009b2J'.repeat(200),
];

export const attacks: readonly Attack<Hostile>[] = [
  {
    name: 'texts against patterns',
    everyMs: 60,
    width: 2,
    async once({ clients, appIds, serverId }) {
      const text = anyOf(texts);
      const app = anyOf([...appIds, randomUUID()]);
      const calls: [string, unknown][] = [
        [`POST /api/apps/${app}/storage`, { containerPath: text }],
        [`POST /api/apps/${app}/domains`, { domain: text }],
        [`PUT /api/apps/${app}/uptime`, { domain: text }],
        [`POST /api/apps/${app}/https`, { email: text }],
        [`PATCH /api/apps/${app}/environment`, { set: { [text.slice(0, 3_000)]: text } }],
        ['POST /api/keys', { name: text, publicKey: text }],
        ['POST /api/invitations', { email: text }],
        [`PATCH /api/servers/${serverId}`, { version: 1, name: text, description: text }],
        ['POST /api/auth/sign-up/email', { name: text, email: text, password: text }],
      ];
      const [key, body] = anyOf(calls);
      return (await anyOf(clients).call(key, body)).status;
    },
  },
  {
    name: 'a firewall status of one poisonous line',
    everyMs: 500,
    width: 2,
    once: async ({ clients, serverId }) =>
      (await anyOf(clients).call(`POST /api/servers/${serverId}/firewall`, {})).status,
  },
  {
    name: 'failed commands with 100,000 backticks',
    everyMs: 250,
    width: 2,
    once: async ({ clients, appIds }) =>
      (
        await anyOf(clients).call(
          `GET /api/apps/${anyOf(appIds)}/${anyOf(['resources', 'system', 'storage', 'environment'])}`,
        )
      ).status,
  },
  {
    name: 'logs that pour and are not read',
    everyMs: 500,
    width: 64,
    async once({ clients, appIds, signal }) {
      const { status, close } = await anyOf(clients).openUnread(`GET /api/apps/${anyOf(appIds)}/logs`);
      if (status === 200) await pause(15_000, undefined, { signal }).catch(() => {});
      close();
      return status;
    },
  },
  {
    name: 'an installation that prints a line without an end',
    everyMs: 1_000,
    width: 1,
    once: async ({ clients, serverId }) =>
      (await anyOf(clients).call(`POST /api/servers/${serverId}/${anyOf(['install', 'agent'])}`, {})).status,
  },
  {
    name: 'operations that queue up',
    everyMs: 50,
    width: 1,
    once: async ({ clients, appIds }) =>
      (
        await anyOf(clients).call(
          `POST /api/apps/${anyOf(appIds)}/${anyOf(['restart', 'rebuild', 'stop'])}`,
          {},
        )
      ).status,
  },
  {
    name: 'streams of changes that are not read',
    everyMs: 100,
    width: 64,
    async once({ clients, signal }) {
      const { status, close } = await anyOf(clients).openUnread('GET /api/events');
      if (status === 200) await pause(15_000, undefined, { signal }).catch(() => {});
      close();
      return status;
    },
  },
  {
    name: 'live sockets that are flooded and not read',
    everyMs: 200,
    width: 16,
    once: (hostile) => hostile.floodLiveSocket(),
  },
  {
    name: 'handshakes that are poison',
    everyMs: 300,
    width: 8,
    once: ({ open, poisonedServers }) => open(anyOf(poisonedServers)),
  },
  {
    name: 'more and more records',
    everyMs: 60,
    width: 1,
    once: async ({ clients, serverId }) =>
      anyOf([
        () => anyOf(clients).call('POST /api/servers', newServer()),
        () => anyOf(clients).call(`POST /api/servers/${serverId}/import`, {}),
        () => anyOf(clients).call('POST /api/invitations', { email: `${randomUUID()}@example.com` }),
        () => anyOf(clients).call('GET /api/servers'),
      ])().then(({ status }) => status),
  },
  {
    name: 'passwords that are wrong',
    everyMs: 200,
    width: 2,
    once: async ({ clients }) =>
      (
        await anyOf(clients).call('POST /api/auth/sign-in/email', {
          email: `${randomUUID()}@example.com`,
          password: 'x'.repeat(120),
        })
      ).status,
  },
  {
    name: 'reports that unpack to 100 MB',
    everyMs: 1_000,
    width: 1,
    once: async ({ clients }) => (await anyOf(clients).call('POST /api/v2/report', bomb)).status,
  },
];

const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024));

function newServer() {
  const name = `hull${randomUUID().slice(0, 8)}`;
  return {
    name,
    ip: '127.0.0.1',
    port: 1 + Math.floor(Math.random() * 60_000),
    credential: 'password',
    subdomain: name,
  };
}
