/** A line's moment as its server wrote it: epoch milliseconds, and the nanoseconds within that millisecond. */
export type LogMoment = { at: number; nanos: number };

/** The last line that was told of a process, and how many lines of that same moment were. */
export type LogPlace = LogMoment & { count: number };

/** Where a reader of an app's log stands. `complete`: its containers had ended, and all of their lines were told. */
export type LogCursor = { complete: boolean; places: ReadonlyMap<string, LogPlace> };

const placePattern = /^([A-Za-z0-9_.-]+)=([0-9a-z]{1,9})\.([0-9a-z]{1,4})\.([0-9a-z]{1,6})$/;
const base = 36;

/** One word, short enough for the `Last-Event-ID` of a reader that comes back. */
export function writeCursor({ complete, places }: LogCursor): string {
  const words = [...places].map(
    ([process, { at, nanos, count }]) =>
      `${process}=${at.toString(base)}.${nanos.toString(base)}.${count.toString(base)}`,
  );
  return `${complete ? 'ended' : 'open'}:${words.join(',')}`;
}

/** Null for what is no cursor: then the log is read as for the first time. */
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
