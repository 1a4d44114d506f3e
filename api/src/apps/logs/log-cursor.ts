import { containersPerApp } from '@homeport/contract/limits';

/** A line's moment as its server wrote it: epoch milliseconds, and the nanoseconds within that millisecond. */
export type LogMoment = { at: number; nanos: number };

/** The last line that was sent for a process, and how many lines of that same moment were sent. */
export type LogPlace = LogMoment & { count: number };

/**
 * A reader's position in an app's log. `complete`: the app's containers had ended, and all of their lines
 * were sent.
 */
export type LogCursor = { complete: boolean; places: ReadonlyMap<string, LogPlace> };

const processPattern = /^[A-Za-z0-9_.-]{1,100}$/;
const placePattern = /^([A-Za-z0-9_.-]+)=([0-9a-z]{1,9})\.([0-9a-z]{1,4})\.([0-9a-z]{1,6})$/;
const base = 36;

/**
 * Notes the last line that was sent for a process. A log may name any number of processes: those that no container has are not noted, and
 * beyond as many as an app may have the one that was noted first goes.
 */
export function notePlace(places: Map<string, LogPlace>, process: string, place: LogPlace): void {
  if (!processPattern.test(process)) return;
  places.set(process, place);
  const [oldest] = places.keys();
  if (places.size > containersPerApp && oldest !== undefined) places.delete(oldest);
}

/** Writes one word that is short enough for the `Last-Event-ID` of a returning reader. */
export function writeCursor({ complete, places }: LogCursor): string {
  const words = [...places].map(
    ([process, { at, nanos, count }]) =>
      `${process}=${at.toString(base)}.${nanos.toString(base)}.${count.toString(base)}`,
  );
  return `${complete ? 'ended' : 'open'}:${words.join(',')}`;
}

/** Returns null for text that is no cursor. The log is then read as for a new reader. */
export function readCursor(text: string | null): LogCursor | null {
  const [state, words] = text?.split(':') ?? [];
  if ((state !== 'open' && state !== 'ended') || words === undefined) return null;
  const places = new Map<string, LogPlace>();
  for (const word of words === '' ? [] : words.split(',')) {
    const [, process, at, nanos, count] = placePattern.exec(word) ?? [];
    if (!process || !at || !nanos || !count) return null;
    places.set(process, {
      at: Number.parseInt(at, base),
      nanos: Number.parseInt(nanos, base),
      count: Number.parseInt(count, base),
    });
  }
  return { complete: state === 'ended', places };
}

export const compareMoments = (a: LogMoment, b: LogMoment) => a.at - b.at || a.nanos - b.nanos;
