import { compareMoments, type LogCursor, type LogMoment, type LogPlace } from './log-cursor.ts';

export type ReadLogLine = LogMoment & { process: string };

/**
 * How a line relates to the lines that a returning reader has seen. `anew`: the first line of a container
 * that replaced another. `after-gap`: earlier lines of its process may be missing.
 */
export type Arrival = 'seen' | 'fresh' | 'anew' | 'after-gap';

export type ResumedLog = {
  /** Takes a line with its moment, in the order in which the server sends lines. */
  arrive(line: ReadLogLine): Arrival;
  /** Takes a line without a moment. It belongs to the line before it. */
  arriveUntimed(): Arrival;
};

/**
 * Docker stamps the lines of stdout and of stderr separately. So two neighbouring lines can stand in the
 * wrong order, by less than this time.
 */
const disorderMs = 5_000;

type Progress = { kind: 'unread' } | { kind: 'behind'; left: number } | { kind: 'joined' };

/**
 * Finds where a log goes on when it is read again from some lines back. A container's lines come in the same
 * order each time. So all lines up to the last one that was sent are known, and all lines after it are new.
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

/** The process's position after one more line was sent. */
export function placeAfter(place: LogPlace | undefined, { at, nanos }: ReadLogLine): LogPlace {
  return { at, nanos, count: place && compareMoments(place, { at, nanos }) === 0 ? place.count + 1 : 1 };
}
