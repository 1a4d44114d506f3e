import { type Account, argvFor, type Command } from '@homeport/dokku';
import { CommandError, splitLines } from '@homeport/ssh';
import type { RemoteConnection } from '../remote/run-command.ts';

export type Followed =
  | { kind: 'lines'; lines: string[] }
  /** Whoever reads is too slow: lines before the next ones were let go. */
  | { kind: 'dropped' }
  | { kind: 'ended'; exitCode: number | null }
  /** It ran for as long as a command may; asked again, it goes on. */
  | { kind: 'overdue' }
  | { kind: 'failed'; error: CommandError };

const linesAtOnce = 500;
/** A follower that is forgotten ends by itself; the page follows again. */
const followAtMostMs = 15 * 60_000;
/** What waits for a slow reader, in characters. */
const waitingAtMost = 32 * 1024 * 1024;

/**
 * Whole lines of a command's output as they come, until it ends or `signal` aborts. Where the connection breaks inside a
 * line its beginning is no line: read again, the line comes whole.
 */
export async function* followCommand(
  connection: RemoteConnection,
  account: Account,
  command: Command,
  signal: AbortSignal,
): AsyncGenerator<Followed> {
  const waiting: string[] = [];
  let characters = 0;
  let dropped = false;
  let end: Followed | null = null;
  let failure: { error: unknown } | null = null;
  let wake = () => {};
  const push = (text: string) => {
    waiting.push(text);
    characters += text.length;
    while (characters > waitingAtMost) {
      // In pieces: each removal at the front moves what stays.
      const gone = waiting.splice(0, linesAtOnce);
      characters -= lengthOf(gone);
      dropped = true;
    }
    wake();
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
      onStdout: (text) => out.write(text),
      onStderr: (text) => err.write(text),
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
      if (dropped) {
        dropped = false;
        yield { kind: 'dropped' };
      } else if (waiting.length > 0) {
        const lines = waiting.splice(0, linesAtOnce);
        characters -= lengthOf(lines);
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

const lengthOf = (lines: readonly string[]) => lines.reduce((sum, line) => sum + line.length, 0);
