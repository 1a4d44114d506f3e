import { plainText } from './ansi.ts';
import type { LogLine } from './log-lines.ts';

/** The progress of a search in a log. The search ignores case and colour codes. */
export interface LogSearch {
  /** In lower case. An empty text finds nothing. */
  words: string;
  /** The numbers of the lines with a hit, ascending. */
  hits: number[];
  /** The last searched line. */
  last: LogLine | null;
}

export const searchFor = (words: string): LogSearch => ({ words: words.toLowerCase(), hits: [], last: null });

export const holdsWords = (line: LogLine, words: string) =>
  plainText(line.text).toLowerCase().includes(words);

/**
 * Searches at most `atMost` more lines. A later call continues with the new lines. If the log started anew,
 * the search starts at its first line.
 */
export function searchOn(search: LogSearch, lines: readonly LogLine[], atMost: number): 'more' | 'done' {
  if (search.words === '') return 'done';
  let index = nextIndex(search, lines);
  const end = Math.min(lines.length, index + atMost);
  for (; index < end; index += 1) {
    const line = lines[index];
    if (!line) break;
    if (holdsWords(line, search.words)) search.hits.push(line.number);
    search.last = line;
  }
  return end < lines.length ? 'more' : 'done';
}

/** The hits whose lines are still in the log. */
export function keptHits(hits: readonly number[], lines: readonly LogLine[]): readonly number[] {
  const first = lines[0]?.number ?? Number.POSITIVE_INFINITY;
  return (hits[0] ?? first) >= first ? hits.slice() : hits.slice(placeOf(hits, first));
}

/** The index of a number in ascending numbers, or the index at which it would stand. */
export function placeOf(numbers: readonly number[], wanted: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

function nextIndex(search: LogSearch, lines: readonly LogLine[]): number {
  const { last } = search;
  if (!last) return 0;
  const index = last.number - (lines[0]?.number ?? 0);
  if (index < 0 || lines[index] === last) return Math.max(0, index + 1);
  search.hits = [];
  search.last = null;
  return 0;
}
