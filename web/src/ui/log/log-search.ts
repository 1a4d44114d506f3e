import { plainText } from './ansi.ts';
import type { LogLine } from './log-lines.ts';

/** How far a log has been searched for some words, without regard to case or colour codes. */
export interface LogSearch {
  /** In lower case; empty finds nothing. */
  words: string;
  /** Numbers of the lines that hold the words, rising. */
  hits: number[];
  /** The last line that was looked at. */
  last: LogLine | null;
}

export const searchFor = (words: string): LogSearch => ({ words: words.toLowerCase(), hits: [], last: null });

export const holdsWords = (line: LogLine, words: string) =>
  plainText(line.text).toLowerCase().includes(words);

/**
 * Looks through at most so many further lines. Lines that came are looked at once; a log that began anew is searched from
 * its start.
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

/** The hits that are still in the log. */
export function keptHits(hits: readonly number[], lines: readonly LogLine[]): readonly number[] {
  const first = lines[0]?.number ?? Number.POSITIVE_INFINITY;
  return (hits[0] ?? first) >= first ? hits.slice() : hits.slice(placeOf(hits, first));
}

/** Where a number stands in rising numbers, or would. */
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
