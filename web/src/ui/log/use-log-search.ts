import { useEffect, useRef, useState } from 'react';
import type { LogLine } from './log-lines.ts';
import { keptHits, searchFor, searchOn } from './log-search.ts';

/** The number of lines searched in one slice. Other work of the page runs between the slices. */
const linesAtOnce = 2_000;
const sliceMs = 8;

export interface LogHits {
  /** In lower case, as the rows need them. */
  words: string;
  /** Line numbers, ascending. */
  hits: readonly number[];
  searching: boolean;
}

const nothing: LogHits = { words: '', hits: [], searching: false };

/** Searches a log in slices between frames. Searches new lines as they arrive. */
export function useLogSearch(lines: readonly LogLine[], words: string): LogHits {
  const search = useRef(searchFor(''));
  const [found, setFound] = useState(nothing);
  useEffect(() => {
    if (search.current.words !== words.toLowerCase()) search.current = searchFor(words);
    const current = search.current;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const goOn = () => {
      const until = performance.now() + sliceMs;
      let state: 'more' | 'done';
      do state = searchOn(current, lines, linesAtOnce);
      while (state === 'more' && performance.now() < until);
      const next = { words: current.words, hits: keptHits(current.hits, lines), searching: state === 'more' };
      setFound((before) => (sameHits(before, next) ? before : next));
      if (state === 'more') timer = setTimeout(goOn, 0);
    };
    goOn();
    return () => clearTimeout(timer);
  }, [lines, words]);
  return found;
}

const sameHits = (a: LogHits, b: LogHits) =>
  a.words === b.words &&
  a.searching === b.searching &&
  a.hits.length === b.hits.length &&
  a.hits[0] === b.hits[0] &&
  a.hits.at(-1) === b.hits.at(-1);
