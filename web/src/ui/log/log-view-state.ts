import { placeOf } from './log-search.ts';

/** The view of a log, as the user set it. */
export interface LogViewState {
  words: string;
  /** The line number of the hit that the user stepped to. null before the first step. */
  chosen: number | null;
  /** Keeps the end in view. */
  follow: boolean;
  /** The number of the last line when following ended. */
  seenNumber: number;
  wrap: boolean;
  withTimes: boolean;
}

/** `last`: the number of the log's last line when the event happens. */
export type LogViewEvent =
  | { kind: 'searched'; words: string; last: number }
  | { kind: 'stepped'; to: number | null; last: number }
  | { kind: 'followed'; on: boolean; last: number }
  | { kind: 'wrap pressed' }
  | { kind: 'times pressed' };

export const firstLook: LogViewState = {
  words: '',
  chosen: null,
  follow: true,
  seenNumber: 0,
  wrap: true,
  withTimes: false,
};

export function reduceLogView(state: LogViewState, event: LogViewEvent): LogViewState {
  switch (event.kind) {
    case 'searched':
      return { ...follow(state, false, event.last), words: event.words, chosen: null };
    case 'stepped':
      return { ...follow(state, false, event.last), chosen: event.to };
    case 'followed':
      return follow(state, event.on, event.last);
    case 'wrap pressed':
      return { ...state, wrap: !state.wrap };
    case 'times pressed':
      return { ...state, withTimes: !state.withTimes };
  }
}

/** Every scroll event calls this. Returning the same state avoids a render. */
function follow(state: LogViewState, on: boolean, last: number): LogViewState {
  if (state.follow === on) return state;
  return { ...state, follow: on, seenNumber: on ? state.seenNumber : last };
}

/** The number of lines that arrived after following ended. */
export function freshLines({ follow, seenNumber }: LogViewState, last: number): number {
  return follow ? 0 : Math.max(0, last - seenNumber);
}

/**
 * The index of the current hit: the chosen hit, or the next one if the chosen hit is gone. The first without
 * a choice.
 */
export function currentHit(hits: readonly number[], chosen: number | null): number {
  return chosen === null ? 0 : Math.min(placeOf(hits, chosen), hits.length - 1);
}

/** The line number of the next or previous hit. The hits wrap around. null without hits. */
export function hitBeside(hits: readonly number[], at: number, step: 1 | -1): number | null {
  return hits[(at + step + hits.length) % hits.length] ?? null;
}
