import type { AppLogEvent } from '@homeport/contract/apps';
import { type Account, appName, argvFor, type Command, logs, stripCsi } from '@homeport/dokku';
import { CommandError, splitLines } from '@homeport/ssh';
import { problemOf, type RemoteConnection } from '../remote/run-command.ts';

type Line = { at: number | null; process: string; text: string };

const linesPerEvent = 500;
/** A follower that is forgotten ends by itself; the page follows again. */
const followAtMostMs = 15 * 60_000;

/** The last lines of an app’s log and what follows, until the server ends the stream or the reader leaves. */
export async function* streamAppLog(
  connection: RemoteConnection,
  account: Account,
  longname: string,
  lines: number,
  signal: AbortSignal,
): AsyncGenerator<{ data: AppLogEvent }> {
  const read = (text: string): Line => {
    const line = logs.readLine(text);
    return { at: line.at, process: line.process ?? '', text: line.text };
  };
  yield* follow(connection, account, logs.read(appName(longname), { lines, follow: true }), read, signal);
}

/** A command’s output as log lines without times or processes. */
export function followPlain(
  connection: RemoteConnection,
  account: Account,
  command: Command,
  signal: AbortSignal,
) {
  return follow(
    connection,
    account,
    command,
    (text) => ({ at: null, process: '', text: stripCsi(text) }),
    signal,
  );
}

async function* follow(
  connection: RemoteConnection,
  account: Account,
  command: Command,
  read: (text: string) => Line,
  signal: AbortSignal,
): AsyncGenerator<{ data: AppLogEvent }> {
  const pending: Line[] = [];
  let wake = () => {};
  const push = (text: string) => {
    pending.push(read(text));
    wake();
  };
  const out = splitLines(push);
  const err = splitLines(push);
  const stop = new AbortController();
  const stopping = AbortSignal.any([signal, stop.signal]);
  let ended: { reason: string } | { error: unknown } | null = null;
  const running = connection
    .exec({
      argv: argvFor(account, command),
      deadlineMs: followAtMostMs,
      signal: stopping,
      maxOutputBytes: 64 * 1024,
      whenTooLong: 'keep_newest',
      onStdout: (text) => out.write(text),
      onStderr: (text) => err.write(text),
    })
    .then(
      (result) => {
        ended = {
          reason:
            result.exitCode === 0
              ? 'The server ended the log.'
              : `The log command ended with exit code ${result.exitCode}.`,
        };
      },
      (error: unknown) => {
        ended = { error };
      },
    )
    .finally(() => {
      out.end();
      err.end();
      wake();
    });
  try {
    while (!signal.aborted) {
      if (pending.length > 0) {
        yield { data: { type: 'lines', lines: pending.splice(0, linesPerEvent) } };
        continue;
      }
      if (ended) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (pending.length > 0 || ended || signal.aborted) resolve();
      });
    }
    yield* endOf(ended, signal);
  } finally {
    stop.abort();
    await running;
  }
}

function* endOf(
  ended: { reason: string } | { error: unknown } | null,
  signal: AbortSignal,
): Generator<{ data: AppLogEvent }> {
  if (!ended || signal.aborted) return;
  if ('reason' in ended) {
    yield { data: { type: 'ended', reason: ended.reason } };
    return;
  }
  if (!(ended.error instanceof CommandError)) throw ended.error;
  yield { data: { type: 'ended', reason: problemOf(ended.error).message } };
}
