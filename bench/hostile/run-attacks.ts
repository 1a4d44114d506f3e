import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

export type Attack<Means> = {
  name: string;
  /** The time between two tries, which bounds the attack. A try begins after the one before it has ended. */
  everyMs: number;
  /** How many tries run at the same time. */
  width: number;
  /** How many tries there are at most: each leaves something behind that the attacker's machine has to hold too. */
  atMost?: number;
  once(means: Means): Promise<unknown>;
};

/** The number of answers to an attack, by status, by the code of a failure, or by an error's text. */
type Tally = Record<string, number>;

/** Runs attacks until the signal, all at once. Counts their answers, so that an attack without effect shows. */
export async function runAttacks<Means>(
  attacks: readonly Attack<Means>[],
  means: Means,
  signal: AbortSignal,
): Promise<Record<string, Tally>> {
  const tallies = await Promise.all(attacks.map((attack) => run(attack, means, signal)));
  return Object.fromEntries(attacks.map(({ name }, index) => [name, tallies[index] ?? {}]));
}

async function run<Means>(attack: Attack<Means>, means: Means, signal: AbortSignal): Promise<Tally> {
  const tally: Tally = {};
  const over = once(signal, 'abort').then(() => 'unanswered at the end');
  let tries = 0;
  const lane = async () => {
    while (!signal.aborted && tries < (attack.atMost ?? Number.POSITIVE_INFINITY)) {
      tries += 1;
      const tried = attack
        .once(means)
        .catch((error: unknown) => (error instanceof Error ? error.message.slice(0, 60) : 'failed'));
      const answer = await Promise.race([tried, over]);
      tally[String(answer)] = (tally[String(answer)] ?? 0) + 1;
      await pause(attack.everyMs, undefined, { signal }).catch(() => {});
    }
  };
  await Promise.all(Array.from({ length: attack.width }, lane));
  return tally;
}

export function anyOf<T>(values: readonly T[]): T {
  const chosen = values[Math.floor(Math.random() * values.length)];
  if (chosen === undefined) throw new Error('There is nothing to choose from.');
  return chosen;
}
