/** The place that a key moves the choice to, round the ends of the list; null for a key that does not move it. */
export function moveChoice(key: string, at: number, last: number): number | null {
  if (key === 'ArrowDown') return at >= last ? 0 : at + 1;
  if (key === 'ArrowUp') return Math.max(0, at <= 0 ? last : at - 1);
  return null;
}
