/**
 * What a follower was not told of a log that is over: its end; or, with `anew`, all of it, where what was told is not how
 * the stored log begins.
 */
export function restOfLog(
  told: readonly string[],
  stored: readonly string[],
): { anew: boolean; lines: readonly string[] } {
  if (stored.length === 0) return { anew: false, lines: [] };
  const whole = told.findLastIndex((text) => text !== '') + 1;
  const goesOn = whole > 0 && told.slice(0, whole).every((text, index) => text === stored[index]);
  return goesOn ? { anew: false, lines: stored.slice(told.length) } : { anew: true, lines: stored };
}
