import { execFileSync, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeAgentToken, openStore, type Store, startEmbedded } from '@homeport/store';
import { realReport, requestOf } from './bodies.ts';
import { flood, type Measured, pace } from './load.ts';

const servers = 1_000;
const rounds = 30;
const load = { connections: 250, servers };
const pacedPerSecond = 500;
const pacedRounds = 10;
const stepMs = 60_000;

/** One Node process on the first core, PostgreSQL on the second; the load takes what is left of both. */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-bench-'));
  execFileSync('chmod', ['755', folder]);
  const embedded = await startEmbedded({ dataFolder: folder });
  const admin = `postgresql://${embedded.user}@${encodeURIComponent(embedded.socketFolder)}`;
  const postgres = await postmaster(folder);
  execFileSync('taskset', ['-a', '-p', '-c', '1', String(postgres)]);
  const store = await openStore({ url: `${admin}/postgres` });
  try {
    const tokens = await addServers(store);
    const base = realReport();
    const begin = Date.now() - (rounds + pacedRounds + 2) * stepMs;
    const bodies = (from: number, count: number) =>
      Array.from({ length: count }, (_, round) =>
        tokens.map((token) => requestOf(base, token, begin + (from + round) * stepMs, from + round)),
      ).flat();
    const monitorBodies = bodies(1, rounds);
    const bytes = monitorBodies.reduce((sum, body) => sum + body.length, 0) / monitorBodies.length;
    const raw = JSON.stringify([base]).length;
    print(
      `${servers} servers, ${base.top?.length} processes a report, ${raw} B JSON, ${bytes.toFixed(0)} B on the wire`,
    );

    await using bare = await start('bare-process.ts', {});
    print('bare Node server that only parses', await flood(bare.port, monitorBodies, load));
    await using monitor = await start('monitor-process.ts', { DATABASE_URL: `${admin}/postgres` });
    await flood(monitor.port, bodies(0, 1), load);
    const spent = [cpuMs(monitor.pid), familyCpuMs(postgres)] as const;
    const result = await flood(monitor.port, monitorBodies, load);
    print('monitor, kept and rolled up', result);
    // On a machine that does other things too, processor time says what the wall clock cannot.
    const each = (now: number, before: number) => (((now - before) * 1000) / result.sent).toFixed(0);
    print(
      `processor time a report: Node ${each(cpuMs(monitor.pid), spent[0])} µs, PostgreSQL ${each(familyCpuMs(postgres), spent[1])} µs`,
    );
    await verify(store, servers * (rounds + 1));
    const paced = await pace(monitor.port, bodies(rounds + 1, pacedRounds), pacedPerSecond);
    print(`monitor at ${pacedPerSecond}/s`, paced);
    await verify(store, servers * (rounds + 1 + pacedRounds));
  } finally {
    await store.close();
    await embedded.stop();
    await rm(folder, { recursive: true });
  }
}

async function addServers(store: Store): Promise<string[]> {
  const { rows } = await store.pool.query<{ id: string }>(
    `insert into auth."user" (name, email, "emailVerified") values ('Bench', 'bench@example.com', true) returning id`,
  );
  const tokens = Array.from({ length: servers }, makeAgentToken);
  await store.pool.query(
    `insert into servers (owner_id, key, name, ip, port, username, credential, subdomain, metal, monitor_id, agent_token_hash, simulated, created_at)
     select $1, 'bench' || n, 'bench ' || n, '198.18.' || n / 256 || '.' || n % 256, 22, 'root', 'password', 'bench' || n, true, 'nq' || n, hash, true, 0
     from unnest($2::bytea[]) with ordinality as t (hash, n)`,
    [rows[0]?.id, tokens.map(({ hash }) => hash)],
  );
  return tokens.map(({ token }) => token);
}

/** A figure of a run that lost or doubled a report would be worth nothing. */
async function verify(store: Store, expected: number): Promise<void> {
  const { rows } = await store.pool.query<{ raw: number; hourly: number; monthly: number }>(
    `select (select count(*) from series.server_raw) as raw, (select sum(n) from series.server_hourly) as hourly,
       (select sum(n) from series.server_monthly) as monthly`,
  );
  const [found] = rows;
  if (found?.raw !== expected || found.hourly !== expected || found.monthly !== expected)
    throw new Error(`${expected} reports were answered, found ${JSON.stringify(found)}`);
}

async function postmaster(folder: string): Promise<number> {
  const paths = execFileSync('find', [folder, '-name', 'postmaster.pid']).toString().trim().split('\n');
  return Number((await readFile(paths[0] ?? '', 'utf8')).split('\n')[0]);
}

/** User and system time of a process so far (proc(5), /proc/pid/stat, fields 14 and 15, in hundredths of a second). */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function familyCpuMs(parent: number): number {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean);
  return [parent, ...children.map(Number)].reduce((sum, pid) => sum + cpuMs(pid), 0);
}

async function start(file: string, env: Record<string, string>) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, ...env, NODE_ENV: 'production' },
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve(Number(message)));
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });
  execFileSync('taskset', ['-a', '-p', '-c', '0', String(child.pid)]);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return {
    port,
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

function print(words: string, measured?: Measured): void {
  const figures = measured
    ? `: ${measured.perSecond.toFixed(0)}/s, p50 ${measured.p50Ms.toFixed(1)} ms, p99 ${measured.p99Ms.toFixed(1)} ms (${measured.sent} reports)`
    : '';
  process.stdout.write(`${words}${figures}\n`);
}

await main();
