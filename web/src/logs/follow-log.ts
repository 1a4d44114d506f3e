import type { AppLogEvent } from '@homeport/contract/apps/schema';
import { NoConnection } from '../connections/with-connection.ts';
import { isProblem } from '../data/api-problem.ts';
import { problemText } from '../data/problem-text.ts';
import type { LogEvent } from './open-log.ts';

export type LogLink =
  | { kind: 'opening' }
  | { kind: 'live' }
  /**
   * The server ended the stream, or the connection broke. The page opens the stream again by itself. A null
   * reason means that nothing went wrong.
   */
  | { kind: 'paused'; reason: string | null }
  /** Only a person at this page can open the connection. */
  | { kind: 'unconnected'; declined: boolean; message: string }
  | { kind: 'failed'; message: string };

export interface LogFollower {
  /**
   * Opens the stream and handles `connection_required`. Rejects with NoConnection when no connection can be
   * opened.
   */
  open: (signal: AbortSignal) => Promise<AsyncIterable<LogEvent>>;
  /** `id`: the reader's position after this event. Empty when the event does not carry a position. */
  onEvent: (event: AppLogEvent, id: string) => void;
  onLink: (link: LogLink) => void;
  /** false: the page does not open an ended log again. */
  again: boolean;
}

const waitSeconds = [1, 2, 4, 8, 15] as const;
/** A stream that lived this long counts as healthy: the next wait starts short again. */
const goodAfterMs = 10_000;

/** Reads a log until `signal` aborts. Opens the log again whenever it ends and `again` asks for more. */
export async function followLog(follower: LogFollower, signal: AbortSignal): Promise<void> {
  let tries = 0;
  follower.onLink({ kind: 'opening' });
  while (!signal.aborted) {
    const openedAt = Date.now();
    const link = await readOnce(follower, signal);
    if (signal.aborted) return;
    follower.onLink(link);
    if (link.kind !== 'paused' || signal.aborted) return;
    if (!follower.again && link.reason !== null) return;
    if (link.reason === null) continue;
    if (Date.now() - openedAt > goodAfterMs) tries = 0;
    await pause((waitSeconds[tries] ?? 15) * 1_000, signal);
    tries += 1;
  }
}

async function readOnce(follower: LogFollower, signal: AbortSignal): Promise<LogLink> {
  try {
    const events = await follower.open(signal);
    follower.onLink({ kind: 'live' });
    for await (const { id, data } of events) {
      if (signal.aborted) break;
      follower.onEvent(data, id);
      if (data.type === 'ended') return { kind: 'paused', reason: data.reason };
    }
    return { kind: 'paused', reason: 'The stream was interrupted.' };
  } catch (error) {
    if (error instanceof NoConnection) {
      const { code, message } = error.state;
      // A restarting server answers again by itself, and the failed try signed nothing. The page retries.
      if (code === 'unreachable' || code === 'timeout') return { kind: 'paused', reason: message };
      return { kind: 'unconnected', declined: code === 'declined', message };
    }
    // A refusal of the console is final. A broken connection is retried.
    if (isProblem(error) && error.code !== 'unavailable' && error.code !== 'connection_lost') {
      return { kind: 'failed', message: problemText(error) };
    }
    return { kind: 'paused', reason: isProblem(error) ? problemText(error) : 'The stream was interrupted.' };
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
