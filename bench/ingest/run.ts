import { execFileSync, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Report } from '@homeport/contract/stats/schema';
import { makeAgentToken, openStore, type Store, shortContainerId, startEmbedded } from '@homeport/store';
import { figure, figureAtMost, tidy } from '../figure.ts';
import { timeOfFamily, timesOf } from '../processor-time.ts';
import { startFlags, startVariables } from '../start-flags.ts';
import { requestOf } from './bodies.ts';
import { busySeries, busyServer, emptyServer } from './fixed-reports.ts';
import { flood, type Measured, pace } from './load.ts';

/** Enough servers that none reaches the ceiling of 20 posts a minute, however fast the monitor is. */
const servers = 4_000;
const rounds = 12;
/** The best run counts, because other work on the machine can only slow a run down. */
const runs = 4;
const warmRounds = 2;
const load = { connections: 500, servers };
const pacedPerSecond = 500;
const pacedRounds = 3;
const stepMs = 60_000;
/** What people have is the second, for comparison between runs. The budgets are of the first. */
const kinds = [
  { name: 'a server without apps', report: emptyServer, series: [], perSecondAtLeast: 5_000 },
  { name: 'six apps and two databases', report: busyServer, series: busySeries, perSecondAtLeast: null },
] as const;
type Kind = (typeof kinds)[number];
const p99MsAtMost = 50;

/** Runs the built monitor on the first core, and PostgreSQL and the load on the second. */
async function main(): Promise<void> {
  execFileSync(process.execPath, [
    fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url)),
    'server',
  ]);
  const folder = await mkdtemp(join(tmpdir(), 'homeport-bench-'));
  execFileSync('chmod', ['755', folder]);
  const embedded = await startEmbedded({ dataFolder: folder });
  const admin = `postgresql://${embedded.user}@${encodeURIComponent(embedded.socketFolder)}`;
  const postgres = await postmaster(folder);
  for (const pid of [postgres, process.pid]) pin(pid, 1);
  const store = await openStore({ url: `${admin}/postgres` });
  try {
    for (const kind of kinds) await measureKind(kind, { store, admin, folder, postgres });
  } finally {
    await store.close();
    await embedded.stop();
    await rm(folder, { recursive: true });
  }
}

type Place = { store: Store; admin: string; folder: string; postgres: number };

async function measureKind({ name, report, series, perSecondAtLeast }: Kind, place: Place): Promise<void> {
  const { store, admin, folder, postgres } = place;
  const tokens = await addServers(store, series);
  const begin = Date.now() - (warmRounds + rounds + pacedRounds + 2) * stepMs;
  const bodies = (from: number, count: number) => requestsOf(report, tokens, { begin, from, count });
  const warmBodies = bodies(0, warmRounds);
  const monitorBodies = bodies(warmRounds, rounds);
  const bytes = monitorBodies.reduce((sum, body) => sum + body.length, 0) / monitorBodies.length;
  const raw = JSON.stringify([report]).length;
  print(`${name}: ${servers} servers, ${raw} B JSON, ${bytes.toFixed(0)} B on the wire`);
  {
    await using bare = await start('bare-process.mjs', {});
    await flood(bare.port, warmBodies, load);
    const perSecond = await measure('bare Node server that only parses', bare, postgres, monitorBodies);
    figure({
      what: `ingest, ${name}: bare Node server that only parses`,
      value: `${tidy(perSecond)} reports/s`,
    });
  }
  const stored = await countStored(store);
  await using monitor = await start('console-process.mjs', {
    DATABASE_URL: `${admin}/postgres`,
    HOMEPORT_DATA: folder,
    HOMEPORT_SECRET: randomBytes(32).toString('base64url'),
  });
  await flood(monitor.port, warmBodies, load);
  const perSecond = await measure('monitor, kept and rolled up', monitor, postgres, monitorBodies);
  figure({
    what: `ingest, ${name}: monitor, kept and rolled up`,
    value: `${tidy(perSecond)} reports/s`,
    ...(perSecondAtLeast === null
      ? {}
      : { budget: `≥ ${perSecondAtLeast} reports/s`, kept: perSecond >= perSecondAtLeast }),
  });
  await verify(store, stored, { reports: servers * (warmRounds + rounds), series: series.length });
  const paced = await pace(monitor.port, bodies(warmRounds + rounds, pacedRounds), {
    perSecond: pacedPerSecond,
    servers,
  });
  print(`monitor at ${pacedPerSecond}/s`, paced);
  figureAtMost(
    `ingest, ${name}: 99 % of answers at ${pacedPerSecond} reports/s`,
    paced.p99Ms,
    p99MsAtMost,
    'ms',
  );
  const all = servers * (warmRounds + rounds + pacedRounds);
  await verify(store, stored, { reports: all, series: series.length });
}

const requestsOf = (
  report: Report,
  tokens: readonly string[],
  { begin, from, count }: { begin: number; from: number; count: number },
) =>
  Array.from({ length: count }, (_, round) =>
    tokens.map((token) => requestOf(report, token, begin + (from + round) * stepMs, from + round)),
  ).flat();

/** Measures processor time too, because other work on the machine distorts time on the wall. */
async function measure(
  words: string,
  { port, pid }: { port: number; pid: number },
  postgres: number,
  bodies: readonly Buffer[],
): Promise<number> {
  let best = 0;
  for (let from = 0, step = bodies.length / runs; from < bodies.length; from += step) {
    const spent = () => [timesOf(pid).own, timeOfFamily(postgres), ownCpuMs()] as const;
    const before = spent();
    const result = await flood(port, bodies.slice(from, from + step), load);
    const [node, database, sender] = spent().map((now, index) =>
      (((now - (before[index] ?? 0)) * 1000) / result.sent).toFixed(0),
    );
    print(words, result);
    print(`  processor time a report: Node ${node} µs, PostgreSQL ${database} µs, the load ${sender} µs`);
    best = Math.max(best, result.perSecond);
  }
  return best;
}

/** Adds servers of one owner with the same series of apps and databases each. */
async function addServers(store: Store, series: Kind['series']): Promise<string[]> {
  const set = randomBytes(4).toString('hex');
  const { rows } = await store.pool.query<{ id: string }>(
    `insert into auth."user" (name, email, "emailVerified") values ('Bench', $1, true) returning id`,
    [`${set}@example.com`],
  );
  const tokens = Array.from({ length: servers }, makeAgentToken);
  await store.pool.query(
    `insert into servers (owner_id, key, name, ip, port, username, credential, subdomain, metal, monitor_id, agent_token_hash, simulated, created_at)
     select $1, $3 || n, 'bench ' || n, '198.18.' || n / 256 || '.' || n % 256, 22, 'root', 'password', $3 || n, true, $3 || 'nq' || n, hash, true, 0
     from unnest($2::bytea[]) with ordinality as t (hash, n)`,
    [rows[0]?.id, tokens.map(({ hash }) => hash), set],
  );
  const named = [series.map(({ name }) => name), series.map(({ container }) => shortContainerId(container))];
  await store.pool.query(
    `with kept as (
        insert into series.server (server_id) select id from servers where owner_id = $1 returning id),
      named as (select * from unnest($2::text[], $3::text[]) as t (name, container)),
      app as (
        insert into series.app (server, name) select kept.id, named.name from kept cross join named
        returning id, server, name)
      insert into series.container (server, container_id, app)
      select app.server, named.container, app.id from app join named using (name)`,
    [rows[0]?.id, ...named],
  );
  return tokens.map(({ token }) => token);
}

type Stored = { raw: number; hourly: number; monthly: number; apps: number };

async function countStored(store: Store): Promise<Stored> {
  const { rows } = await store.pool.query<Stored>(
    `select (select count(*) from series.server_raw) as raw,
       (select coalesce(sum(n), 0) from series.server_hourly) as hourly,
       (select coalesce(sum(n), 0) from series.server_monthly) as monthly,
       (select count(*) from series.app_raw) as apps`,
  );
  const [found] = rows;
  if (!found) throw new Error('PostgreSQL answered without a row.');
  return found;
}

/** Fails when a run lost or doubled a report, because its figure would be worthless. */
async function verify(
  store: Store,
  before: Stored,
  { reports, series }: { reports: number; series: number },
): Promise<void> {
  const found = await countStored(store);
  const isWhole =
    (['raw', 'hourly', 'monthly'] as const).every((table) => found[table] - before[table] === reports) &&
    found.apps - before.apps === reports * series;
  if (!isWhole)
    throw new Error(`${reports} reports were answered, found ${JSON.stringify({ before, found })}`);
}

async function postmaster(folder: string): Promise<number> {
  const paths = execFileSync('find', [folder, '-name', 'postmaster.pid']).toString().trim().split('\n');
  return Number((await readFile(paths[0] ?? '', 'utf8')).split('\n')[0]);
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function start(file: string, env: Record<string, string>) {
  const port = await freePort();
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    execArgv: [...startFlags, ...(process.env.BENCH_NODE_OPTIONS ?? '').split(' ').filter(Boolean)],
    env: { ...process.env, ...startVariables, ...env, HOMEPORT_PORT: String(port), NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });
  ended.catch(() => undefined);
  await Promise.race([ended, reachable(port)]);
  const pid = child.pid ?? 0;
  pin(pid, 0);
  return {
    port,
    pid,
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect();
      await ended.catch(() => undefined);
    },
  };
}

function pin(pid: number, core: number): void {
  execFileSync('taskset', ['-a', '-p', '-c', String(core), String(pid)]);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

async function reachable(port: number): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const open = await fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Nothing answers on port ${port}.`);
}

function print(words: string, measured?: Measured): void {
  const figures = measured
    ? `: ${measured.perSecond.toFixed(0)}/s, p50 ${measured.p50Ms.toFixed(1)} ms, p99 ${measured.p99Ms.toFixed(1)} ms (${measured.sent} reports)`
    : '';
  process.stdout.write(`${words}${figures}\n`);
}

await main();
