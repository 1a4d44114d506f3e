import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeCertificate } from '@homeport/monitor/testing';
import { openStore, type Store, startEmbedded } from '@homeport/store';
import { figure, figureAtMost, tidy } from '../figure.ts';

const checks = 500;
const everyMs = 20_000;
const rounds = 3;
const cpuMsAtMost = 1.5;
const percentAtMost = 4;

/**
 * A separate monitor checks 500 apps every 20 seconds, once over http and once over https, on a real store. Its whole processor
 * time counts: claiming, connecting, handshakes, reading 8 kB, judging and storing. The server that answers is another process.
 */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-bench-'));
  // The embedded PostgreSQL does not run as root and has to pass through the folder.
  execFileSync('chmod', ['755', folder]);
  const embedded = await startEmbedded({ dataFolder: folder });
  const url = `postgresql://${embedded.user}@${encodeURIComponent(embedded.socketFolder)}/postgres`;
  const store = await openStore({ url });
  try {
    const authority = makeCertificate({});
    const certificate = makeCertificate({ names: ['*.bench.localhost'], by: authority });
    const files = {
      ca: join(folder, 'ca.pem'),
      cert: join(folder, 'cert.pem'),
      key: join(folder, 'key.pem'),
    };
    await writeFile(files.ca, authority.cert);
    await writeFile(files.cert, certificate.cert);
    await writeFile(files.key, certificate.key);
    await using target = start('target-process.mjs', { TARGET_CERT: files.cert, TARGET_KEY: files.key });
    const [[httpPort, httpsPort]] = (await once(target.child, 'message')) as [[number, number]];
    for (const address of [
      `http://app.bench.localhost:${httpPort}`,
      `https://app.bench.localhost:${httpsPort}`,
    ]) {
      await measure(store, address, { DATABASE_URL: url, NODE_EXTRA_CA_CERTS: files.ca });
      await measureBare(address, { NODE_EXTRA_CA_CERTS: files.ca });
    }
  } finally {
    await store.close();
    await embedded.stop();
    await rm(folder, { recursive: true });
  }
}

async function measure(store: Store, address: string, env: Record<string, string>): Promise<void> {
  await addChecks(store, address);
  await using monitor = start('checker-process.ts', env);
  const cpuMs = async () => {
    monitor.child.send('how much?');
    return ((await once(monitor.child, 'message')) as [number])[0];
  };
  // The first round begins all checks at once. It only warms up.
  await until(store, checks);
  await wait(everyMs);
  const before = { cpu: await cpuMs(), time: performance.now(), made: await made(store) };
  await wait(everyMs * rounds);
  const used = (await cpuMs()) - before.cpu;
  const count = (await made(store)) - before.made;
  const percent = (used / (performance.now() - before.time)) * 100;
  if (count < checks * rounds * 0.95) throw new Error(`Only ${count} checks were made.`);
  const scheme = address.startsWith('https') ? 'https' : 'http';
  figureAtMost(`uptime: processor time of a check over ${scheme}`, used / count, cpuMsAtMost, 'ms');
  figureAtMost(
    `uptime: ${checks} checks over ${scheme} every ${everyMs / 1000} s, share of one core`,
    percent,
    percentAtMost,
    '%',
  );
}

/** Measures Node's own client with the same requests. A check by this client cannot cost less. */
async function measureBare(address: string, env: Record<string, string>): Promise<void> {
  const rhythm = [checks, everyMs, 8].map(String);
  await using bare = start('bare-process.mjs', env, [address, ...rhythm]);
  const [cpuMs] = (await once(bare.child, 'message')) as [number];
  const scheme = address.startsWith('https') ? 'https' : 'http';
  figure({
    what: `uptime: processor time of a bare request by node:${scheme} in the same rhythm`,
    value: `${tidy(cpuMs)} ms`,
  });
}

/** Replaces all checks by those of one new person. Each app has a name of its own, like real apps. */
async function addChecks(store: Store, address: string): Promise<void> {
  const { pool } = store;
  await pool.query('delete from auth."user"');
  await pool.query(
    `with person as (
       insert into auth."user" (name, email, "emailVerified") values ('Bench', 'bench@example.com', true) returning id),
     server as (
       insert into servers (owner_id, key, name, ip, port, username, credential, subdomain, metal, created_at)
       select id, 'bench', 'bench', '127.0.0.1', 22, 'root', 'password', 'bench', false, 0 from person returning id, owner_id),
     app as (
       insert into apps (owner_id, server_id, name, longname, monitor_id, plan, domains, url, deploy_status, created_at)
       select owner_id, id, 'app' || n, 'app' || n, 'nq' || n, 3, array['app' || n || '.bench.localhost'],
         replace($2, 'app.', 'app' || n || '.'), 'succeeded', 0
       from server, generate_series(1, $1::integer) n returning id, domains)
     insert into checks (app_id, domain, every_ms, created_at, due_at) select id, domains[1], $3, 0, 0 from app`,
    [checks, address, everyMs],
  );
}

async function made(store: Store): Promise<number> {
  const { rows } = await store.pool.query<{ made: number }>(
    'select count(*) as made from series.check_raw where ok',
  );
  return rows[0]?.made ?? 0;
}

async function until(store: Store, count: number): Promise<void> {
  for (let tries = 0; tries < 900; tries += 1) {
    if ((await made(store)) >= count) return;
    await wait(100);
  }
  throw new Error(`${count} checks were not made within 90 s.`);
}

function start(file: string, env: Record<string, string>, argv: string[] = []) {
  const child: ChildProcess = fork(fileURLToPath(new URL(file, import.meta.url)), argv, {
    execArgv: [
      ...(file.endsWith('.ts') ? ['--import', 'tsx'] : []),
      ...(process.env.BENCH_NODE_OPTIONS ?? '').split(' ').filter(Boolean),
    ],
    env: { ...process.env, ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return {
    child,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

await main();
