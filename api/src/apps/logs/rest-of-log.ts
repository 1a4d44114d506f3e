/**
 * The lines of a finished log that a follower has not received. With `anew`, `lines` is the whole log: the
 * follower received nothing, or something other than the beginning of the stored log.
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
