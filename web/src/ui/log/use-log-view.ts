import { useCallback, useDeferredValue, useReducer } from 'react';
import type { LogLine } from './log-lines.ts';
import {
  currentHit,
  firstLook,
  freshLines,
  hitBeside,
  type LogViewState,
  reduceLogView,
} from './log-view-state.ts';
import { type LogHits, useLogSearch } from './use-log-search.ts';

export interface LogViewControl {
  state: LogViewState;
  found: LogHits;
  /** The index of the current hit among all hits. `current` is the number of its line. */
  at: number;
  current: number | null;
  lastNumber: number;
  /** The number of lines that arrived after following ended. */
  fresh: number;
  search: (words: string) => void;
  stepBy: (step: 1 | -1) => void;
  /** Stays the same function until the last line changes. */
  follow: (on: boolean) => void;
  pressWrap: () => void;
  pressTimes: () => void;
}

/** The view of a log: search, following, wrapping. */
export function useLogView(lines: readonly LogLine[]): LogViewControl {
  const [state, dispatch] = useReducer(reduceLogView, firstLook);
  const found = useLogSearch(lines, useDeferredValue(state.words));
  const at = currentHit(found.hits, state.chosen);
  const lastNumber = lines.at(-1)?.number ?? 0;
  const follow = useCallback(
    (on: boolean) => dispatch({ kind: 'followed', on, last: lastNumber }),
    [lastNumber],
  );
  return {
    state,
    found,
    at,
    current: found.hits[at] ?? null,
    lastNumber,
    fresh: freshLines(state, lastNumber),
    search: (words) => dispatch({ kind: 'searched', words, last: lastNumber }),
    stepBy: (step) => dispatch({ kind: 'stepped', to: hitBeside(found.hits, at, step), last: lastNumber }),
    follow,
    pressWrap: () => dispatch({ kind: 'wrap pressed' }),
    pressTimes: () => dispatch({ kind: 'times pressed' }),
  };
}
