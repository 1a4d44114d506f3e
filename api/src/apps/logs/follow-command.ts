import { type Account, argvFor, type Command, wayToEnd } from '@homeport/dokku';
import { CommandError, splitLines } from '@homeport/ssh';
import type { RemoteConnection } from '../../remote/run-command.ts';

export type Followed =
  | { kind: 'lines'; lines: string[] }
  /** The command has run for a while and has written nothing. Told at most once. */
  | { kind: 'quiet' }
  /** The server gives this login no terminal, so the command was not started. */
  | { kind: 'no_terminal' }
  | { kind: 'ended'; exitCode: number | null }
  /** The command reached its time limit. The reader may follow again. */
  | { kind: 'overdue' }
  | { kind: 'failed'; error: CommandError };

/** Few enough that the event loop reads and sends them in a millisecond or two. */
const linesAtOnce = 200;
/** Ends a follower that was forgotten. A page that still reads follows again. */
const followAtMostMs = 15 * 60_000;
/** Longer than Dokku on an idle server takes to send the lines of an app that has written some. */
const quietAfterMs = 2_500;

/**
 * Yields whole lines of a command's output until the command ends or `signal` aborts. If the connection
 * breaks inside a line, its beginning is dropped: the next read brings the whole line. A slow reader slows
 * the command down, and no line is lost.
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
  const quiet = { due: false, told: false };
  let read: Promise<void> | null = null;
  let tellRead = () => {};
  const push = (text: string) => {
    quiet.told = true;
    waiting.push(text);
    wake();
  };
  /** Pending while lines wait for the reader. Meanwhile the server sends no more than one channel window. */
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
      wayToEnd: wayToEnd(account),
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
        else end = endedBy(error);
      },
    )
    .finally(() => wake());
  const silence = setTimeout(() => {
    quiet.due = true;
    wake();
  }, quietAfterMs);
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
      } else if (quiet.due && !quiet.told) {
        quiet.told = true;
        yield { kind: 'quiet' };
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', leave);
    stop.abort();
    await running;
  }
}

function endedBy(error: CommandError): Followed {
  switch (error.failure.code) {
    case 'timeout':
      return { kind: 'overdue' };
    case 'terminal_refused':
      return { kind: 'no_terminal' };
    default:
      return { kind: 'failed', error };
  }
}
