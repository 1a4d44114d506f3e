import { isOver } from '@homeport/contract/operations/facts';
import type { Operation, OperationEvent, OperationLine } from '@homeport/contract/operations/schema';
import { isProblem } from '../data/api-problem.ts';
import { type EventOf, openStream } from '../data/open-stream.ts';

/** The page retries after 1, 2, 4, 8 and 15 s. Then it waits for Try now. */
export const retrySeconds = [1, 2, 4, 8, 15] as const;

export interface OperationFollower {
  onState: (operation: Operation) => void;
  onLines: (lines: readonly OperationLine[]) => void;
  onConnected: () => void;
  /** `retryInSeconds` null: the page does not retry by itself. */
  onLost: (attempt: number, retryInSeconds: number | null) => void;
  /** The operation is over and every line has been read. */
  onOver: () => void;
}

export interface Following {
  retryNow: () => void;
  stop: () => void;
}

type Event = EventOf<'GET /api/operations/:id/events'>;

/** Opens the operation's stream after the last seen event. */
export type OpenEvents = (
  id: string,
  after: string | null,
  signal: AbortSignal,
) => Promise<AsyncIterable<Event>>;

const openEvents: OpenEvents = (id, after, signal) =>
  openStream('GET /api/operations/:id/events', { params: { id } }, { after, signal });

/** Problems that pass by themselves. A retry after any other refusal would only repeat the refusal. */
const passing = ['unavailable', 'internal', 'connection_lost', 'remote_failed', 'remote_timeout'] as const;

/**
 * Reads an operation's stream. After a broken connection it continues after the last seen line. The operation
 * goes on without a reader, and this function never starts it again.
 */
export function followOperation(id: string, follower: OperationFollower, openAfter = openEvents): Following {
  let reading = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempt = 0;
  let lastEvent: string | null = null;
  let lastLine = 0;

  const tell = (event: OperationEvent): 'over' | 'goes-on' => {
    if (event.type === 'lines') {
      const fresh = event.lines.filter((line) => line.seq > lastLine);
      lastLine = fresh.at(-1)?.seq ?? lastLine;
      if (fresh.length > 0) follower.onLines(fresh);
      return 'goes-on';
    }
    follower.onState(event.operation);
    return isOver(event.operation.state) ? 'over' : 'goes-on';
  };

  const read = async (signal: AbortSignal): Promise<'over' | 'lost' | 'refused'> => {
    let events: AsyncIterable<Event>;
    try {
      events = await openAfter(id, lastEvent, signal);
    } catch (error) {
      return isProblem(error) && !passing.some((code) => error.code === code) ? 'refused' : 'lost';
    }
    if (signal.aborted) return 'lost';
    attempt = 0;
    follower.onConnected();
    for await (const { id: eventId, data } of events) {
      if (signal.aborted) break;
      lastEvent = eventId;
      if (tell(data) === 'over') return 'over';
    }
    return 'lost';
  };

  const open = async () => {
    stop();
    reading = new AbortController();
    const { signal } = reading;
    const end = await read(signal);
    if (signal.aborted) return;
    if (end === 'over') return follower.onOver();
    const seconds = end === 'refused' ? null : (retrySeconds[attempt] ?? null);
    attempt += 1;
    follower.onLost(Math.min(attempt, retrySeconds.length), seconds);
    if (seconds !== null) timer = setTimeout(open, seconds * 1_000);
  };

  const stop = () => {
    clearTimeout(timer);
    reading.abort();
  };

  void open();
  return { retryNow: () => void open(), stop };
}
