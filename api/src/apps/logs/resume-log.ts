import { compareMoments, type LogCursor, type LogMoment, type LogPlace } from './log-cursor.ts';

export type ReadLogLine = LogMoment & { process: string };

/**
 * What a line is to a reader who comes back. `anew`: the first line of a container that took another's place;
 * `after-gap`: lines of its process before it may not have been told.
 */
export type Arrival = 'seen' | 'fresh' | 'anew' | 'after-gap';

export type ResumedLog = {
  /** A line with its moment, in the order in which the server tells them. */
  arrive(line: ReadLogLine): Arrival;
  /** A line without a moment, which belongs to the one before it. */
  arriveUntimed(): Arrival;
};

/**
 * Docker writes the lines of stdout and stderr with times of their own, so that neighbours can stand in the wrong order by
 * less than this.
 */
const disorderMs = 5_000;

type Progress = { kind: 'unread' } | { kind: 'behind'; left: number } | { kind: 'joined' };

/**
 * Finds the place where a log goes on that is read again from some lines back. A container's lines come in the same order
 * each time, so everything of it up to the line that was told last is known, and everything after it is not.
 */
export function resumeLog(cursor: LogCursor | null): ResumedLog {
  const progress = new Map<string, Progress>();
  let last: Arrival = cursor ? 'seen' : 'fresh';
  const judge = (line: ReadLogLine): Arrival => {
    const place = cursor?.places.get(line.process);
    if (!cursor || !place) return 'fresh';
    const before = progress.get(line.process) ?? { kind: 'unread' };
    if (before.kind === 'joined') return 'fresh';
    const order = compareMoments(line, place);
    if (before.kind === 'unread' && order > 0) {
      progress.set(line.process, { kind: 'joined' });
      return cursor.complete ? 'anew' : 'after-gap';
    }
    if (line.at > place.at + disorderMs) {
      progress.set(line.process, { kind: 'joined' });
      return 'after-gap';
    }
    const left = (before.kind === 'behind' ? before.left : place.count) - (order === 0 ? 1 : 0);
    progress.set(line.process, left === 0 ? { kind: 'joined' } : { kind: 'behind', left });
    return 'seen';
  };
  return {
    arrive(line) {
      const arrival = judge(line);
      last = arrival === 'seen' ? 'seen' : 'fresh';
      return arrival;
    },
    arriveUntimed: () => last,
  };
}

/** The place after one more line was told. */
export function placeAfter(place: LogPlace | undefined, { at, nanos }: ReadLogLine): LogPlace {
  return { at, nanos, count: place && compareMoments(place, { at, nanos }) === 0 ? place.count + 1 : 1 };
}
