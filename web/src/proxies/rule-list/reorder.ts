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

/** The place for an item that the pointer holds at a height, by the middles of the other rows, from the top. */
export function placeAt(y: number, middles: readonly number[]): number {
  return middles.filter((middle) => middle < y).length;
}

export const movedText = (from: number, to: number, of: number): string =>
  `Rule ${from + 1} moved to position ${to + 1} of ${of}`;
