/** A rule that is lifted off its place. `to`: where it would be put down now, from 0. */
export interface Lift {
  id: string;
  to: number;
  by: 'keys' | 'pointer';
}

/** The list with one item at another place. A place outside of the list is its nearest end. */
export function moved<T extends { id: string }>(items: readonly T[], id: string, to: number): readonly T[] {
  const item = items.find((each) => each.id === id);
  if (!item) return items;
  const place = Math.min(Math.max(to, 0), items.length - 1);
  return items.filter((each) => each.id !== id).toSpliced(place, 0, item);
}

/** A rule that the person has put at another place, from 0. `savedAs`: the version of the proxy that has it there. */
export interface Move {
  rule: string;
  to: number;
  savedAs?: number;
}

/** A proxy's rules after the moves that its version does not have. */
export function rulesAfter<T extends { id: string }>(
  { version, rules }: { version: number; rules: readonly T[] },
  moves: readonly Move[],
): readonly T[] {
  return moves
    .filter(({ savedAs = Number.POSITIVE_INFINITY }) => version < savedAs)
    .reduce((after, { rule, to }) => moved(after, rule, to), rules);
}

/** The place for an item that the pointer holds at a height, by the middles of the other rows, from the top. */
export function placeAt(y: number, middles: readonly number[]): number {
  return middles.filter((middle) => middle < y).length;
}

export const movedText = (from: number, to: number, of: number): string =>
  `Rule ${from + 1} moved to position ${to + 1} of ${of}`;
