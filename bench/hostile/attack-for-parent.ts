import { once, setMaxListeners } from 'node:events';
import { constants, setPriority } from 'node:os';
import { type Attack, runAttacks } from './run-attacks.ts';

/** An attacker would be another machine, so the attack's own computing must not take the console's processor. */
export function giveWay(): void {
  setPriority(constants.priority.PRIORITY_LOW);
}

/** Runs the attacks whose names contain `only`, as `attacker.ts` says: from the parent's `go`, for so long. */
export async function attackForParent<Means>(
  attacks: readonly Attack<Means>[],
  meansUntil: (signal: AbortSignal) => Means & { close?(): void },
  { seconds, only }: { seconds: number; only: string },
): Promise<void> {
  process.send?.('ready');
  await once(process, 'message');
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
