/** The index to which a key moves the choice. The list wraps around. null for any other key. */
export function moveChoice(key: string, at: number, last: number): number | null {
  if (key === 'ArrowDown') return at >= last ? 0 : at + 1;
  if (key === 'ArrowUp') return Math.max(0, at <= 0 ? last : at - 1);
  return null;
}
