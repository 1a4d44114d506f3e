import { agentTokenHash } from '@homeport/store';
import { type TestDatabase, testDatabase } from '@homeport/store/testing';
import Fastify, { type FastifyInstance } from 'fastify';
import { createMonitor } from './monitor.ts';

export type TestMonitor = {
  database: TestDatabase;
  app: FastifyInstance;
  clock: { now: number };
  /** A second replica on the same store. */
  another(): Promise<FastifyInstance>;
  addServer(
    name: string,
    owner?: string,
  ): Promise<{ id: string; token: string; monitorId: string; owner: string }>;
  /** Posts reports of protocol 2. Returns the status and the answer. */
  post(
    token: string,
    reports: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: unknown }>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The monitor on a database of its own. The header `x-user` names the signed-in person. */
export async function testMonitor(
  now = Date.UTC(2026, 5, 15, 12, 30),
  { metrics = true } = {},
): Promise<TestMonitor> {
  const database = await testDatabase();
  const clock = { now };
  const closers: (() => Promise<void>)[] = [];
  async function replica() {
    const app = Fastify();
    const monitor = await createMonitor({
      store: database.store,
      log: app.log,
      metrics,
      clock: () => clock.now,
      identify: (request) => {
        const userId = request.headers['x-user'];
        return typeof userId === 'string' ? { userId, sessionId: 'session' } : null;
      },
    });
    await monitor.register(app);
    closers.push(async () => {
      await app.close();
      await monitor.close();
    });
    return app;
  }
  const app = await replica();
  return {
    database,
    app,
    clock,
    another: replica,
    addServer: (name, owner) => addServer(database, name, owner),
    async post(token, reports, headers = {}) {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/v2/report',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        body: Buffer.isBuffer(reports) || typeof reports === 'string' ? reports : JSON.stringify(reports),
      });
      return { status: answer.statusCode, body: answer.json() };
    },
    async [Symbol.asyncDispose]() {
      for (const close of closers) await close();
      await database.close();
    },
  };
}

let serial = 0;

async function addServer({ store }: TestDatabase, name: string, owner?: string) {
  serial += 1;
  const token = `token_${name}_0123456789abcdef_${serial}`;
  const ownerId =
    owner ??
    (
      await store.pool.query<{ id: string }>(
        `insert into auth."user" (name, email, "emailVerified") values ($1, $2, true) returning id`,
        [name, `${name}${serial}@example.com`],
      )
    ).rows[0]?.id ??
    '';
  const monitorId = `nq-${name}-${serial}`;
  const { rows } = await store.pool.query<{ id: string }>(
    `insert into servers (owner_id, key, name, ip, port, username, credential, subdomain, metal, monitor_id, agent_token_hash, created_at)
     values ($1, $2, $2, $3, 22, 'root', 'password', $4, false, $5, $6, 0) returning id`,
    [ownerId, `${name}${serial}`, `203.0.113.${serial}`, `sub${serial}`, monitorId, agentTokenHash(token)],
  );
  return { id: rows[0]?.id ?? '', token, monitorId, owner: ownerId };
}

const gib = 2 ** 30;

/** A valid report. A test gives the fields that matter to it. */
export function makeReport(ts: number, more: Record<string, unknown> = {}) {
  return {
    v: 2,
    agent: '2.0.0',
    boot_id: 'boot-a',
    seq: ts,
    ts,
    uptime: 1000,
    interval: 180,
    os_name: 'Debian GNU/Linux 12 (bookworm)',
    os_arch: 'x64',
    os_kernel: '6.1.0',
    cpu_name: 'AMD EPYC',
    cpu_cores: 4,
    cpu_freq: 2445.4,
    cpu_jiffies: [100, 0, 100, 800, 0, 0, 0, 0],
    load: [1, 0.5, 0.25],
    mem: { total: 4 * gib, available: gib },
    swap: { total: gib, free: gib },
    net: [{ name: 'eth0', rx: 1000, tx: 500 }],
    nic: 'eth0',
    ipv4: '192.0.2.2',
    ipv6: 'N/A',
    fs: [{ dev: '/dev/vda', mount: '/', total: 100 * gib, used: 50 * gib }],
    top: [{ user: 'root', cpu: 1.5, rss: 4096, name: 'init' }],
    apps: [],
    ...more,
  };
}
