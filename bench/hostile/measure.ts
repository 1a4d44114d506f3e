import type { Console } from '../../e2e/fixtures/console.ts';
import { watchMemory } from '../memory.ts';
import { timesOf } from '../processor-time.ts';
import { startAttacker, type Tallies } from './attacker.ts';
import { consolePid, cookieOf } from './console-pid.ts';
import { createHttpClient } from './http-client.ts';
import { askEvenly, askPages, type Measured } from './neighbour.ts';

export type UnderAttack = {
  idle: Measured;
  attacked: Measured;
  /**
   * The most processor time that the console spent from one answer to the neighbour until the next, in milliseconds. Other
   * work on the machine prolongs the neighbour's wait, not this time.
   */
  longestWorkMs: number;
  /** From the first attack until the last one ended. */
  attackMs: number;
  /** The largest memory of the console's own process. */
  peakMiB: number;
  /** Processor time of the console's own process under attack, as a share of one core: no other load changes it. */
  processorShare: number;
  tallies: Tallies;
};

/** Measures another person's requests on a console at rest, then while a hostile account and its servers attack it. */
export async function measureUnderAttack(
  homeport: Console,
  { idleSeconds, attackSeconds, only = '' }: { idleSeconds: number; attackSeconds: number; only?: string },
): Promise<UnderAttack> {
  const ask = askPages(createHttpClient(homeport.url, '127.0.0.2', cookieOf(homeport)));
  // The very first requests also make the console read its files and compile its routes.
  await askEvenly(ask, AbortSignal.timeout(2_000));
  const idle = await askEvenly(ask, AbortSignal.timeout(idleSeconds * 1_000));

  const attacker = startAttacker('attack-process.ts', { url: homeport.url, seconds: attackSeconds, only });
  try {
    await attacker.ready;
    const pid = await consolePid(homeport);
    const memory = watchMemory(pid);
    const work = watchWork(pid);
    const [usedBefore, begin] = [timesOf(pid).own, performance.now()];
    const attack = attacker.attack();
    attack.catch(() => undefined);
    const attacked = await askEvenly(ask, AbortSignal.timeout(attackSeconds * 1_000), work.answered);
    const processorShare = (timesOf(pid).own - usedBefore) / (performance.now() - begin);
    const tallies = await attack;
    const attackMs = performance.now() - begin;
    const peakMiB = memory.peakMiB();
    await attacker.release();
    return { idle, attacked, attackMs, processorShare, tallies, peakMiB, longestWorkMs: work.longestMs() };
  } finally {
    attacker.kill();
  }
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
