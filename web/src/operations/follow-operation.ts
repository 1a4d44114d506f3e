import type { Operation, OperationEvent, OperationLine } from '@homeport/contract/operations';
import { readEvents } from './read-events.ts';

/** After 1, 2, 4, 8 and 15 s the page stops by itself and waits for Try now. */
export const retrySeconds = [1, 2, 4, 8, 15] as const;

export interface OperationFollower {
  onState: (operation: Operation) => void;
  onLines: (lines: readonly OperationLine[]) => void;
  onConnected: () => void;
  /** `retryInSeconds` null: no further try by itself. */
  onLost: (attempt: number, retryInSeconds: number | null) => void;
  /** The work is over and every line has been read. */
  onOver: () => void;
}

export interface Following {
  retryNow: () => void;
  stop: () => void;
}

export const overStates: readonly Operation['state'][] = ['succeeded', 'failed', 'interrupted', 'cancelled'];

export type Fetch = (path: string, init: RequestInit) => Promise<Response>;

/**
 * Reads an operation's stream and picks it up after the last line seen when the connection breaks: with `Last-Event-ID`,
 * which an EventSource of the page's own cannot send. The work itself goes on without a reader, and nothing here ever
 * starts it a second time.
 */
export function followOperation(
  id: string,
  follower: OperationFollower,
  get: Fetch = (path, init) => fetch(path, init),
): Following {
  let reading = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempt = 0;
  let lastEvent = '';
  let lastLine = 0;

  const tell = (event: OperationEvent): 'over' | 'goes-on' => {
    if (event.type === 'lines') {
      const fresh = event.lines.filter((line) => line.seq > lastLine);
      lastLine = fresh.at(-1)?.seq ?? lastLine;
      if (fresh.length > 0) follower.onLines(fresh);
      return 'goes-on';
    }
    follower.onState(event.operation);
    return overStates.includes(event.operation.state) ? 'over' : 'goes-on';
  };

  const read = async (signal: AbortSignal): Promise<'over' | 'lost' | 'refused'> => {
    const response = await get(`/api/operations/${encodeURIComponent(id)}/events`, {
      headers: { accept: 'text/event-stream', ...(lastEvent && { 'last-event-id': lastEvent }) },
      credentials: 'same-origin',
      cache: 'no-store',
      signal,
    });
    if (!response.ok || !response.body) return response.status < 500 ? 'refused' : 'lost';
    attempt = 0;
    follower.onConnected();
    for await (const { id: eventId, data } of readEvents(response.body)) {
      if (signal.aborted) break;
      lastEvent = eventId;
      const event = readEvent(data);
      if (event && tell(event) === 'over') return 'over';
    }
    return 'lost';
  };

  const open = async () => {
    stop();
    reading = new AbortController();
    const { signal } = reading;
    const end = await read(signal).catch(() => 'lost' as const);
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

function readEvent(data: string): OperationEvent | null {
  try {
    return JSON.parse(data) as OperationEvent;
  } catch {
    return null;
  }
}
