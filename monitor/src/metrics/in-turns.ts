import { setImmediate as turn } from 'node:timers/promises';

/** Maps so many things in one turn of the loop, so that everybody else's requests are served in between. */
export async function mapInTurns<T, R>(
  things: readonly T[],
  perTurn: number,
  map: (thing: T) => R,
): Promise<R[]> {
  const mapped: R[] = [];
  for (const [index, thing] of things.entries()) {
    if (index > 0 && index % perTurn === 0) await turn();
    mapped.push(map(thing));
  }
  return mapped;
}
