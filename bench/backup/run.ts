import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeAgentToken, openStore, type Store, startEmbedded, tendPartitions } from '@homeport/store';
import { figure, figureAtMost, tidy } from '../figure.ts';
import { requestOf } from '../ingest/bodies.ts';
import { emptyServer } from '../ingest/fixed-reports.ts';
import { type Measured, pace } from '../ingest/load.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const servers = 2_000;
const perSecond = 500;
/** Of each phase, at that rate. */
const rounds = 6;
const stepMs = 60_000;
/** Years of months, as the largest table has them. */
const monthsOfEach = 150;
const backupRowsPerSecond = 30_000;
const restoreRowsPerSecond = 40_000;
const slowerMsAtMost = 20;
const memoryMiBAtMost = 64;
const secret = 'a secret of thirty-two letters or more';

/** Backs a console up again and again while agents report, then restores the last backup into a new data folder. */
async function main(): Promise<void> {
  // Builds what is out of date now: a backup that builds first would be measured with its building.
  execFileSync(process.execPath, [join(root, 'scripts/start.mjs'), 'version']);
  const folder = await mkdtemp(join(tmpdir(), 'homeport-bench-'));
  execFileSync('chmod', ['755', folder]);
  const data = join(folder, 'data');
  const embedded = await startEmbedded({ dataFolder: data });
  const url = `postgresql://${embedded.user}@${encodeURIComponent(embedded.socketFolder)}/homeport`;
  const admin = await openStore({ url: url.replace(/homeport$/, 'postgres') });
  await admin.pool.query('create database homeport');
  await admin.close();
  const store = await openStore({ url });
  try {
    const tokens = await plant(store);
    await writeFile(join(data, 'secret'), `${secret}\n`);
    const port = await freePort();
    const monitor = startMonitor(port, { DATABASE_URL: url, HOMEPORT_SECRET: secret, HOMEPORT_DATA: folder });
    await reachable(port);
    const begin = Date.now() - (3 * rounds + 1) * stepMs;
    const bodies = (phase: number) =>
      Array.from({ length: rounds }, (_, round) => phase * rounds + round).flatMap((round) =>
        tokens.map((token) => requestOf(emptyServer, token, begin + round * stepMs, round)),
      );
    await pace(port, bodies(0), { perSecond, servers });
    const alone = await pace(port, bodies(1), { perSecond, servers });
    print('reports alone', alone);

    const pacing = { ends: false };
    const loaded = pace(port, bodies(2), { perSecond, servers }).finally(() => {
      pacing.ends = true;
    });
    const backups: Backup[] = [];
    while (!pacing.ends || backups.length === 0)
      backups.push(await backUp(join(folder, `backup-${backups.length}`), data));
    const beside = await loaded;
    print('reports beside backups', beside);
    const best = Math.max(...backups.map((each) => each.rows / each.seconds));
    figure({
      what: `backup, while ${perSecond} reports/s come in`,
      value: `${tidy(best)} rows/s`,
      ...{ budget: `≥ ${backupRowsPerSecond} rows/s`, kept: best >= backupRowsPerSecond },
    });
    const slower = Math.max(0, beside.p99Ms - alone.p99Ms);
    figureAtMost('backup: 99 % of reports are answered later by', slower, slowerMsAtMost, 'ms');
    const grown = Math.max(...backups.map((each) => each.grownMiB));
    figureAtMost('backup: memory that its process takes while it writes', grown, memoryMiBAtMost, 'MiB');
    monitor.disconnect();

    const target = join(folder, 'restored');
    const last = join(folder, `backup-${backups.length - 1}`);
    const { printed } = await run(['restore', last, '--data', target]);
    const [, rows, seconds] = /Restored (\d+) rows .* in ([\d.]+) s/.exec(printed) ?? [];
    const restored = Number(rows) / Number(seconds);
    figure({
      what: 'restore, with the proof of every table',
      value: `${tidy(restored)} rows/s`,
      ...{ budget: `≥ ${restoreRowsPerSecond} rows/s`, kept: restored >= restoreRowsPerSecond },
    });
  } finally {
    await store.close();
    await embedded.stop();
    await rm(folder, { recursive: true });
  }
}

async function plant(store: Store): Promise<string[]> {
  await tendPartitions(store.pool, Date.now());
  const { rows } = await store.pool.query<{ id: string }>(
    `insert into auth."user" (name, email, "emailVerified") values ('Bench', 'bench@example.com', true) returning id`,
  );
  const tokens = Array.from({ length: servers }, makeAgentToken);
  await store.pool.query(
    `insert into servers (owner_id, key, name, ip, port, username, credential, subdomain, metal, monitor_id, agent_token_hash, simulated, created_at)
     select $1, 'k' || n, 'bench ' || n, '198.18.' || n / 256 || '.' || n % 256, 22, 'root', 'password', 'k' || n, true, 'nq' || n, hash, true, 0
     from unnest($2::bytea[]) with ordinality as t (hash, n)`,
    [rows[0]?.id, tokens.map(({ hash }) => hash)],
  );
  await store.pool.query('insert into series.server (server_id) select id from servers');
  const { rows: columns } = await store.pool.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = 'series.server_monthly'::regclass and attnum > 2`,
  );
  await store.pool.query(
    `insert into series.server_monthly select s.id, m * 2678400000::bigint, ${columns.map((_, n) => `(${n} + m)::integer`).join(', ')}
     from series.server s cross join generate_series(1, ${monthsOfEach}) as m`,
  );
  return tokens.map(({ token }) => token);
}

type Backup = { rows: number; seconds: number; grownMiB: number };

async function backUp(file: string, data: string): Promise<Backup> {
  const { printed, grownMiB } = await run(['backup', file, '--data', data, '--plain'], `${file}.part`);
  const [, rows, seconds] = /Backed up (\d+) rows .* in ([\d.]+) s/.exec(printed) ?? [];
  return { rows: Number(rows), seconds: Number(seconds), grownMiB };
}

/** Runs the program to its end. Its memory is counted from the moment when the file `begun` is there. */
async function run(argv: string[], begun?: string): Promise<{ printed: string; grownMiB: number }> {
  const child = spawn(process.execPath, [join(root, 'scripts/start.mjs'), ...argv], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  let atFirst: number | undefined;
  let most = 0;
  while (child.exitCode === null) {
    const now = await residentMiB(child);
    if (begun && existsSync(begun)) atFirst ??= now;
    most = Math.max(most, now);
    await pause(20);
  }
  if ((await ended) !== 0) throw new Error(`${argv.join(' ')} failed: ${printed}`);
  process.stdout.write(printed);
  return { printed, grownMiB: atFirst === undefined ? 0 : most - atFirst };
}

async function residentMiB({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

function startMonitor(port: number, env: Record<string, string>): ChildProcess {
  return fork(fileURLToPath(new URL('../ingest/console-process.mjs', import.meta.url)), {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env, HOMEPORT_PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

async function reachable(port: number): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
    if (answer?.ok) return;
    await pause(100);
  }
  throw new Error(`Nothing answers on port ${port}.`);
}

function print(words: string, { perSecond: rate, p50Ms, p99Ms, sent }: Measured): void {
  process.stdout.write(
    `${words}: ${rate.toFixed(0)}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms (${sent} reports)\n`,
  );
}

await main();
