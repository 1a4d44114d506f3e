import type { AppLogEvent } from '@homeport/contract/apps/schema';
import { type Account, appName, type Command, logs, stripCsi } from '@homeport/dokku';
import { problemOf, type RemoteConnection } from '../../remote/run-command.ts';
import { type Followed, followCommand } from './follow-command.ts';
import { type LogCursor, type LogPlace, writeCursor } from './log-cursor.ts';
import { placeAfter, resumeLog } from './resume-log.ts';

export type LogRequest = {
  longname: string;
  /** How many past lines to read, per container. */
  lines: number;
  /** `web`: only the containers of that process. Null: all containers. */
  process: string | null;
  /** The reader's position when its last stream ended. */
  cursor: LogCursor | null;
};

type Item = { id?: string; data: AppLogEvent };
type Line = Extract<AppLogEvent, { type: 'lines' }>['lines'][number];

/** How many past lines are read for a returning reader. Only lines that the reader has not seen are sent. */
const catchUpLines = 10_000;

/**
 * Yields the last lines of an app’s log and the lines that follow, until the server ends the stream or the
 * reader leaves. Each event's id is the reader's position after that event. With this id as `cursor`, the
 * next stream goes on without a repeated line, and says where lines may be missing.
 */
export async function* streamAppLog(
  connection: RemoteConnection,
  account: Account,
  { longname, lines, process, cursor }: LogRequest,
  signal: AbortSignal,
): AsyncGenerator<Item> {
  const command = logs.read(appName(longname), {
    lines: cursor ? Math.max(lines, catchUpLines) : lines,
    follow: true,
    ...(process !== null && { process }),
  });
  const resumed = resumeLog(cursor);
  const places = new Map<string, LogPlace>(cursor?.places);
  const id = (complete = false) => writeCursor({ complete, places });
  for await (const followed of followCommand(connection, account, command, signal)) {
    if (followed.kind === 'lines') {
      let told: Line[] = [];
      for (const text of followed.lines) {
        const line = logs.readLine(text);
        const arrival = line.process === null ? resumed.arriveUntimed() : resumed.arrive(line);
        if (arrival === 'seen') continue;
        if (arrival !== 'fresh') {
          if (told.length > 0) yield { id: id(), data: { type: 'lines', lines: told } };
          told = [];
          yield { data: { type: arrival === 'anew' ? 'anew' : 'missing', process: line.process ?? '' } };
        }
        told.push({ at: line.at, process: line.process ?? '', text: line.text });
        if (line.process !== null) places.set(line.process, placeAfter(places.get(line.process), line));
      }
      if (told.length > 0) yield { id: id(), data: { type: 'lines', lines: told } };
    } else {
      // Exit code 0: every container has ended, and all of its lines were read.
      yield {
        id: id(followed.kind === 'ended' && followed.exitCode === 0),
        data: { type: 'ended', reason: reasonOf(followed) },
      };
    }
  }
}

/** A command’s output as log lines without times or processes. */
export async function* followPlain(
  connection: RemoteConnection,
  account: Account,
  command: Command,
  signal: AbortSignal,
): AsyncGenerator<Item> {
  for await (const followed of followCommand(connection, account, command, signal)) {
    if (followed.kind === 'lines') {
      const lines = followed.lines.map((text) => ({ at: null, process: '', text: stripCsi(text) }));
      yield { data: { type: 'lines', lines } };
    } else yield { data: { type: 'ended', reason: reasonOf(followed) } };
  }
}

/** Null if nothing failed and the reader only has to ask again. */
function reasonOf(end: Extract<Followed, { kind: 'ended' | 'overdue' | 'failed' }>): string | null {
  if (end.kind === 'overdue') return null;
  if (end.kind === 'failed') {
    return end.error.failure.code === 'connection_lost'
      ? 'The connection to the server was lost.'
      : problemOf(end.error).message;
  }
  return end.exitCode === 0
    ? 'The server ended the log.'
    : `The log command ended with exit code ${end.exitCode}.`;
}
