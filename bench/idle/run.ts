import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../../scripts/install.mjs';
import { figure, figureAtMost, median } from '../figure.ts';
import { pidsOfFamily } from '../processor-time.ts';
import { startFlags, startVariables } from '../start-flags.ts';

const restAfterStartMs = 60_000;
const restarts = 3;
const readyWithinMs = 120_000;
const memoryMiBAtMost = 110;
const startMsAtMost = 1_500;
const backMsAtMost = 5_000;
const person = { name: 'Bench', email: 'bench@example.com', password: 'harbour-lights-20' };

/** Measures memory after a minute's rest, then the next start, for a person who follows the README. */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-idle-'));
  await chmod(folder, 0o755);
  const data = join(folder, 'data');
  try {
    const first = await startConsole(data);
    await signUp(first.url);
    await pause(restAfterStartMs);
    const postmaster = await postmasterOf(data);
    const ofPostgres = pidsOfFamily(postmaster);
    const postgres = await pssMiB(ofPostgres);
    // With whatever else the console has begun: nothing that it runs beside itself is left out.
    const node = await pssMiB(pidsOfFamily(first.pid).filter((pid) => !ofPostgres.includes(pid)));
    const killed: number[] = [];
    for (let kill = 0; kill < restarts; kill += 1) killed.push(await timeRecovery(data, first.url));
    await first.stop();
    figureAtMost('Node and PostgreSQL together', node + postgres, memoryMiBAtMost, 'MiB');
    figure({ what: 'Node alone', value: `${node.toFixed(1)} MiB` });
    figure({ what: 'PostgreSQL alone', value: `${postgres.toFixed(1)} MiB` });

    figureAtMost(
      'PostgreSQL killed alone, until the console is ready again, worst',
      Math.max(...killed),
      backMsAtMost,
      'ms',
    );

    const taken: number[] = [];
    for (let restart = 0; restart < restarts; restart += 1) {
      const again = await startConsole(data);
      taken.push(again.readyMs);
      await again.stop();
    }
    figureAtMost('Next start until the console answers, median', median(taken), startMsAtMost, 'ms');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const postmasterOf = async (data: string) =>
  Number((await readFile(join(data, 'postgres/postmaster.pid'), 'utf8').catch(() => '0')).split('\n')[0]);

/** Milliseconds from `kill -9` of PostgreSQL's main process until the next one runs and the console is ready. */
async function timeRecovery(data: string, url: string): Promise<number> {
  const killed = await postmasterOf(data);
  const begin = performance.now();
  process.kill(killed, 'SIGKILL');
  while (performance.now() - begin < readyWithinMs) {
    const ready = await fetch(`${url}/readyz`).then(({ ok }) => ok);
    if (ready && ![0, killed].includes(await postmasterOf(data))) return performance.now() - begin;
    await pause(5);
  }
  throw new Error(`PostgreSQL was not back within ${readyWithinMs} ms.`);
}

async function startConsole(data: string) {
  const begin = performance.now();
  // Runs the program of `npm start`, without npm's own time.
  const program = spawn(
    process.execPath,
    [...startFlags, 'scripts/start.mjs', '--data', data, '--port', '17070'],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...startVariables,
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        HOMEPORT_PROXY_PORT: '17080',
      },
    },
  );
  program.stdout.resume();
  const url = 'http://127.0.0.1:17070';
  await answers(`${url}/readyz`, program);
  return {
    url,
    pid: program.pid ?? 0,
    readyMs: performance.now() - begin,
    async stop() {
      const ended = new Promise((resolve) => program.once('exit', resolve));
      program.kill('SIGINT');
      await ended;
    },
  };
}

async function answers(url: string, program: ChildProcess): Promise<void> {
  const deadline = performance.now() + readyWithinMs;
  while (performance.now() < deadline) {
    if (program.exitCode !== null) throw new Error(`The console ended with ${program.exitCode}.`);
    const answer = await fetch(url).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await pause(5);
  }
  program.kill('SIGINT');
  throw new Error(`The console was not ready within ${readyWithinMs} ms.`);
}

async function signUp(url: string): Promise<void> {
  const answer = await fetch(`${url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(person),
  });
  if (!answer.ok) throw new Error(`Signing up answered ${answer.status}: ${await answer.text()}`);
}

/** The proportional set size, which divides shared memory among its users (proc(5), smaps_rollup). */
async function pssMiB(pids: readonly number[]): Promise<number> {
  const kilobytes = await Promise.all(
    pids.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
      return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1]);
    }),
  );
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024;
}

await main();
