import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Console } from '../../e2e/fixtures/console.ts';
import { timesOf } from '../processor-time.ts';
import { createHttpClient } from './http-client.ts';
import { askAsNeighbour, type Measured } from './neighbour.ts';

/** The number of answers to each attack, by status, by the code of a failure, or by an error's text. */
const talliesSchema = z.object({ tallies: z.record(z.string(), z.record(z.string(), z.number())) });

export type UnderAttack = {
  idle: Measured;
  attacked: Measured;
  /**
   * The most processor time that the console spent from one answer to the neighbour until the next, in milliseconds. Other
   * work on the machine prolongs the neighbour's wait, not this time.
   */
  longestWorkMs: number;
  /** The largest memory of the console's own process, in bytes (VmRSS, proc(5)). */
  peakBytes: number;
  /** Processor time of the console's own process under attack, as a share of one core: no other load changes it. */
  processorShare: number;
  tallies: Record<string, Record<string, number>>;
};

const setUpWithinMs = 60_000;
const memoryEveryMs = 200;

/** Measures another person's requests on a console at rest, then while a hostile account and its servers attack it. */
export async function measureUnderAttack(
  homeport: Console,
  { idleSeconds, attackSeconds, only = '' }: { idleSeconds: number; attackSeconds: number; only?: string },
): Promise<UnderAttack> {
  const cookie = homeport.owner.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const neighbour = createHttpClient(homeport.url, '127.0.0.2', cookie);
  // The very first requests also make the console read its files and compile its routes.
  await askAsNeighbour(neighbour, AbortSignal.timeout(2_000));
  const idle = await askAsNeighbour(neighbour, AbortSignal.timeout(idleSeconds * 1_000));

  const attacker = startAttacker({ url: homeport.url, seconds: attackSeconds, only });
  try {
    await attacker.ready;
    const pid = await consolePid(homeport);
    const over = new AbortController();
    const peak = watchMemory(pid, over.signal);
    const work = watchWork(pid);
    const [usedBefore, begin] = [timesOf(pid).own, performance.now()];
    attacker.begin();
    const attacked = await askAsNeighbour(
      neighbour,
      AbortSignal.timeout(attackSeconds * 1_000),
      work.answered,
    );
    const processorShare = (timesOf(pid).own - usedBefore) / (performance.now() - begin);
    const { tallies } = await attacker.ended;
    over.abort();
    return {
      ...{ idle, attacked, processorShare, tallies },
      longestWorkMs: work.longestMs(),
      peakBytes: await peak,
    };
  } finally {
    attacker.kill();
  }
}

function startAttacker(options: { url: string; seconds: number; only: string }) {
  const program = fileURLToPath(new URL('attack-process.ts', import.meta.url));
  const child: ChildProcess = fork(program, [JSON.stringify(options)], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const message = (withinMs: number) =>
    new Promise<unknown>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('The attacker said nothing in time.')), withinMs);
      const settle = (answer: () => void) => {
        clearTimeout(late);
        answer();
      };
      child.once('message', (said) => settle(() => resolve(said)));
      child.once('exit', (code) => settle(() => reject(new Error(`The attacker ended with ${code}.`))));
    });
  const ready = message(setUpWithinMs);
  let ended: Promise<z.output<typeof talliesSchema>> | undefined;
  return {
    ready,
    begin() {
      ended = message(options.seconds * 1_000 + setUpWithinMs).then((said) => talliesSchema.parse(said));
      ended.catch(() => {});
      child.send('go');
    },
    get ended() {
      if (!ended) throw new Error('The attack has not begun.');
      return ended;
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

/** The console's process: the parent of PostgreSQL. */
async function consolePid(homeport: Console): Promise<number> {
  const file = await readFile(join(homeport.folder, 'data/postgres/postmaster.pid'), 'utf8');
  const status = await readFile(`/proc/${file.split('\n')[0]}/status`, 'utf8');
  return Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]);
}

function watchWork(pid: number) {
  let before = timesOf(pid).own;
  let longest = 0;
  return {
    answered() {
      const now = timesOf(pid).own;
      longest = Math.max(longest, now - before);
      before = now;
    },
    longestMs: () => longest,
  };
}

async function watchMemory(pid: number, signal: AbortSignal): Promise<number> {
  let peak = 0;
  while (!signal.aborted) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    peak = Math.max(peak, Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024);
    await pause(memoryEveryMs, undefined, { signal }).catch(() => {});
  }
  return peak;
}
