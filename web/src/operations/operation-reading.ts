import type { Operation, OperationLine } from '@homeport/contract/operations/schema';
import { appendLines, emptyLog, type LogState } from '../ui/log/log-lines.ts';
import { formatIso } from '../ui/text/format.ts';

/** An operation as the page has read it, with the state of its stream. Times are epoch milliseconds. */
export interface OperationReading {
  operation: Operation | null;
  log: LogState;
  link:
    | { kind: 'live' }
    | { kind: 'ended' }
    /** `since`: the time of the first lost try. `retryAt` null: the page does not retry by itself. */
    | { kind: 'lost'; since: number; attempt: number; retryAt: number | null };
}

export type OperationReadingEvent =
  | { kind: 'begun' }
  | { kind: 'state'; operation: Operation }
  | { kind: 'lines'; lines: readonly OperationLine[] }
  | { kind: 'connected'; at: number }
  | { kind: 'lost'; at: number; attempt: number; retryInSeconds: number | null }
  | { kind: 'over' };

export const nothingRead: OperationReading = { operation: null, log: emptyLog, link: { kind: 'live' } };

export function reduceOperation(state: OperationReading, event: OperationReadingEvent): OperationReading {
  const { log, link } = state;
  switch (event.kind) {
    case 'begun':
      return nothingRead;
    case 'state':
      return { ...state, operation: event.operation };
    case 'lines':
      return { ...state, log: appendLines(log, event.lines.map(toLogLine)) };
    case 'connected': {
      if (link.kind !== 'lost') return { ...state, link: { kind: 'live' } };
      const text = `connection lost ${clock(link.since)}, back ${clock(event.at)}`;
      return { ...state, log: appendLines(log, [{ text, kind: 'rule' }]), link: { kind: 'live' } };
    }
    case 'lost': {
      const { at, attempt, retryInSeconds } = event;
      const since = link.kind === 'lost' ? link.since : at;
      const retryAt = retryInSeconds === null ? null : at + retryInSeconds * 1_000;
      return { ...state, link: { kind: 'lost', since, attempt, retryAt } };
    }
    case 'over':
      return { ...state, link: { kind: 'ended' } };
  }
}

const kinds = { out: 'out', err: 'err', note: 'out' } as const;
const toLogLine = (line: OperationLine) => ({ text: line.text, at: line.at, kind: kinds[line.stream] });
const clock = (at: number) => formatIso(at).slice(11, 19);
