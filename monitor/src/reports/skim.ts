/**
 * The list of processes is half of a report. Nothing is computed from the list, so it is stored as it arrived. A pattern checks
 * the form in which our agent writes the list in 2 µs; parsing and checking would take 20.
 *
 * `processSchema` takes every entry that the pattern takes. A number with at most six digits before the point is at most a
 * million, one with at most 18 digits is less than 2^60, and a text without escapes has no more characters than the pattern allows.
 */
const number = (digits: number) => `(?:0|[1-9]\\d{0,${digits - 1}})`;
const text = (characters: number) => `"[^"\\\\\\u0000-\\u001f]{0,${characters}}"`;
const entry = `\\{"user":${text(64)},"cpu":${number(6)}(?:\\.\\d{1,9})?,"rss":${number(18)},"name":${text(256)}\\}`;
const entries = new RegExp(`${entry}(?:,${entry}){0,39}(?=\\])`, 'y');
const begin = ',"top":[';

/**
 * The same JSON with an empty list of processes, or null when it has no such list. The removed part is whole JSON between
 * brackets, so the result is valid if and only if the input is. If the `"` before `top` ends a text, neither is JSON.
 */
export function skimProcesses(json: string): string | null {
  const at = json.indexOf(begin);
  if (at < 0) return null;
  const from = at + begin.length;
  entries.lastIndex = from;
  return entries.test(json) ? json.slice(0, from) + json.slice(entries.lastIndex) : null;
}
