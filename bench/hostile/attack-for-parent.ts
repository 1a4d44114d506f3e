import { once, setMaxListeners } from 'node:events';
import { constants, setPriority } from 'node:os';
import { type Attack, runAttacks } from './run-attacks.ts';

/** Runs the attacks whose names contain `only`, as `attacker.ts` says: from the parent's `go`, for so long. */
export async function attackForParent<Means>(
  attacks: readonly Attack<Means>[],
  meansUntil: (signal: AbortSignal) => Means & { close?(): void },
  { seconds, only }: { seconds: number; only: string },
): Promise<void> {
  process.send?.('ready');
  await once(process, 'message');
  // An attacker would be another machine, so the attack's own computing must not take the console's processor. What comes before the
  // attack is not measured, and with a low priority a busy machine would not let it log in within the console's time for that.
  setPriority(constants.priority.PRIORITY_LOW);
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const end = setTimeout(() => stop.abort(), seconds * 1_000);
  const means = meansUntil(stop.signal);
  const chosen = attacks.filter(({ name }) => name.includes(only));
  const tallies = await runAttacks(chosen, means, stop.signal);
  clearTimeout(end);
  means.close?.();
  const released = once(process, 'message');
  process.send?.({ tallies });
  await released;
}
