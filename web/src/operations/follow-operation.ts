import type { Operation, OperationEvent, OperationLine } from '@homeport/contract/operations';

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

/**
 * Reads an operation's stream and picks it up after the last line seen when the connection breaks. The work itself goes on
 * without a reader, and nothing here ever starts it a second time.
 */
export function followOperation(id: string, follower: OperationFollower): Following {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempt = 0;
  let lastLine = 0;
  let stopped = false;

  const open = () => {
    clearTimeout(timer);
    source?.close();
    source = new EventSource(`/api/operations/${encodeURIComponent(id)}/events`);
    source.onopen = () => {
      attempt = 0;
      follower.onConnected();
    };
    source.onmessage = ({ data }) => {
      const event = readEvent(data);
      if (!event) return;
      if (event.type === 'lines') {
        // A connection of ours begins at the first line: those that were seen are not told again.
        const fresh = event.lines.filter((line) => line.seq > lastLine);
        lastLine = fresh.at(-1)?.seq ?? lastLine;
        if (fresh.length > 0) follower.onLines(fresh);
        return;
      }
      follower.onState(event.operation);
      if (!overStates.includes(event.operation.state)) return;
      stop();
      follower.onOver();
    };
    source.onerror = lost;
  };

  const lost = () => {
    source?.close();
    if (stopped) return;
    const seconds = retrySeconds[attempt] ?? null;
    attempt += 1;
    follower.onLost(Math.min(attempt, retrySeconds.length), seconds);
    if (seconds !== null) timer = setTimeout(open, seconds * 1_000);
  };

  const stop = () => {
    stopped = true;
    clearTimeout(timer);
    source?.close();
  };

  open();
  return { retryNow: open, stop };
}

function readEvent(data: unknown): OperationEvent | null {
  try {
    return JSON.parse(String(data)) as OperationEvent;
  } catch {
    return null;
  }
}
