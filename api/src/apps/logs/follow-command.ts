import { type Account, argvFor, type Command } from '@homeport/dokku';
import { CommandError, splitLines } from '@homeport/ssh';
import type { RemoteConnection } from '../../remote/run-command.ts';

export type Followed =
  | { kind: 'lines'; lines: string[] }
  | { kind: 'ended'; exitCode: number | null }
  /** It ran for as long as a command may; asked again, it goes on. */
  | { kind: 'overdue' }
  | { kind: 'failed'; error: CommandError };

/** Few enough that reading and sending them takes the event loop a millisecond or two. */
const linesAtOnce = 200;
/** A follower that is forgotten ends by itself; the page follows again. */
const followAtMostMs = 15 * 60_000;

/**
 * Whole lines of a command's output as they come, until it ends or `signal` aborts. Where the connection breaks inside a
 * line its beginning is no line: read again, the line comes whole. A slow reader slows the command down, and no line is lost.
 */
export async function* followCommand(
  connection: RemoteConnection,
  account: Account,
  command: Command,
  signal: AbortSignal,
): AsyncGenerator<Followed> {
  const waiting: string[] = [];
  let end: Followed | null = null;
  let failure: { error: unknown } | null = null;
  let wake = () => {};
  let read: Promise<void> | null = null;
  let tellRead = () => {};
  const push = (text: string) => {
    waiting.push(text);
    wake();
  };
  /** Pending while lines wait for the reader: the server sends no more than a channel’s window until they are gone. */
  const untilRead = () => {
    if (waiting.length === 0) return;
    read ??= new Promise<void>((resolve) => {
      tellRead = resolve;
    });
    return read;
  };
  const out = splitLines(push);
  const err = splitLines(push);
  const stop = new AbortController();
  const running = connection
    .exec({
      argv: argvFor(account, command),
      deadlineMs: followAtMostMs,
      signal: AbortSignal.any([signal, stop.signal]),
      maxOutputBytes: 64 * 1024,
      whenTooLong: 'keep_newest',
      follows: true,
      onStdout: (text) => {
        out.write(text);
        return untilRead();
      },
      onStderr: (text) => {
        err.write(text);
        return untilRead();
      },
    })
    .then(
      ({ exitCode }) => {
        out.end();
        err.end();
        end = { kind: 'ended', exitCode };
      },
      (error: unknown) => {
        if (!(error instanceof CommandError)) failure = { error };
        else end = error.failure.code === 'timeout' ? { kind: 'overdue' } : { kind: 'failed', error };
      },
    )
    .finally(() => wake());
  const leave = () => wake();
  signal.addEventListener('abort', leave, { once: true });
  try {
    while (!signal.aborted) {
      if (waiting.length > 0) {
        const lines = waiting.splice(0, linesAtOnce);
        if (waiting.length === 0) {
          tellRead();
          read = null;
        }
        yield { kind: 'lines', lines };
      } else if (failure) {
        throw (failure as { error: unknown }).error;
      } else if (end) {
        yield end;
        return;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    signal.removeEventListener('abort', leave);
    stop.abort();
    await running;
  }
}
