import { setTimeout as wait } from 'node:timers/promises';
import type { AppLogEvent } from '@homeport/contract/apps/schema';
import { type Account, appName, type Command, logs, stripCsi } from '@homeport/dokku';
import { ProblemError } from '../../http/problem.ts';
import { asProblem, problemOf, type RemoteConnection, runCommand } from '../../remote/run-command.ts';
import { type Followed, followCommand } from './follow-command.ts';
import { type LogCursor, type LogPlace, notePlace, writeCursor } from './log-cursor.ts';
import { placeAfter, resumeLog } from './resume-log.ts';

export type LogRequest = {
  longname: string;
  /** How many past lines to read, per container. */
  lines: number;
  /** `web`: only the containers of that process. Null: all containers. */
  process: string | null;
  /** False: the stream ends after the past lines. */
  follow: boolean;
  /** The reader's position when its last stream ended. */
  cursor: LogCursor | null;
};

type Item = { id?: string; data: AppLogEvent };
type Line = Extract<AppLogEvent, { type: 'lines' }>['lines'][number];

/** How many past lines are read for a returning reader. Only lines that the reader has not seen are sent. */
const catchUpLines = 10_000;
/** Each read starts Dokku once, for about half a second of processor time. */
const pollEveryMs = 10_000;
/** How many past lines such a read asks for: they are held in memory at once. The reader is told where more may be. */
const polledLines = 2_000;
const readDeadlineMs = 60_000;

/**
 * Yields the last lines of an app’s log and, where it follows, the lines that follow, until the server ends the stream or the
 * reader leaves. Each event's id is the reader's position after that event. With this id as `cursor`, the
 * next stream goes on without a repeated line, and says where lines may be missing.
 */
export async function* streamAppLog(
  connection: RemoteConnection,
  account: Account,
  request: LogRequest,
  signal: AbortSignal,
  everyMs = pollEveryMs,
): AsyncGenerator<Item> {
  const { lines, cursor, follow } = request;
  const wanted = cursor ? Math.max(lines, catchUpLines) : lines;
  const command = commandOf(request, { lines: wanted, follow });
  const position = positionAfter(cursor);
  const tell = position.reread();
  for await (const followed of followCommand(connection, account, command, signal)) {
    switch (followed.kind) {
      case 'lines':
        yield* tell(followed.lines);
        break;
      case 'quiet':
        if (await isEmpty(connection, account, request, signal)) yield { data: { type: 'empty' } };
        break;
      case 'no_terminal':
        yield* pollAppLog(connection, account, request, position, everyMs, signal);
        break;
      default:
        // Exit code 0: every container has ended, and all of its lines were read.
        yield {
          id: position.id(follow && isWhole(followed)),
          data: { type: 'ended', reason: !follow && isWhole(followed) ? null : reasonOf(followed) },
        };
    }
  }
}

/** The command wrote what it was asked for. */
const isWhole = (followed: Followed) => followed.kind === 'ended' && followed.exitCode === 0;

/** Reads the log again and again. Between two reads nothing runs on the server. */
async function* pollAppLog(
  connection: RemoteConnection,
  account: Account,
  request: LogRequest,
  position: Position,
  everyMs: number,
  signal: AbortSignal,
): AsyncGenerator<Item> {
  if (request.follow) yield { data: { type: 'polled', everyMs } };
  if (request.lines > polledLines && position.isAtStart()) yield { data: { type: 'missing', process: null } };
  let lines = request.cursor ? polledLines : Math.min(request.lines, polledLines);
  let toldEmpty = false;
  while (!signal.aborted) {
    try {
      const command = commandOf(request, { lines, follow: false });
      const options = { deadlineMs: readDeadlineMs };
      const ran = await runCommand(connection, account, command, options, signal);
      const texts = ran.stdout.split('\n').slice(0, -1);
      yield* position.reread()(texts);
      if (position.isAtStart() && !toldEmpty) yield { data: { type: 'empty' } };
      toldEmpty = true;
      if (!request.follow) {
        yield { id: position.id(), data: { type: 'ended', reason: null } };
        return;
      }
    } catch (error) {
      if (signal.aborted) return;
      const problem = asProblem(error);
      if (!(problem instanceof ProblemError)) throw problem;
      yield { id: position.id(), data: { type: 'ended', reason: problem.message } };
      return;
    }
    lines = polledLines;
    await wait(everyMs, undefined, { signal }).catch(() => {});
  }
}

/** Asks once whether the app has written a line. A followed log of a silent app never says so. */
async function isEmpty(
  connection: RemoteConnection,
  account: Account,
  request: LogRequest,
  signal: AbortSignal,
): Promise<boolean> {
  const command = commandOf(request, { lines: 1, follow: false });
  const options = { deadlineMs: readDeadlineMs, accept: 'any' as const };
  const ran = await runCommand(connection, account, command, options, signal).catch(() => null);
  return ran?.exitCode === 0 && ran.stdout === '';
}

const commandOf = ({ longname, process }: LogRequest, choice: { lines: number; follow: boolean }): Command =>
  logs.read(appName(longname), { ...choice, ...(process !== null && { process }) });

type Position = {
  /** The reader's position as a word. `complete`: the containers have ended, and all of their lines were sent. */
  id(complete?: boolean): string;
  isAtStart(): boolean;
  /** Begins to read the log again from some lines back. The result makes events of the lines that are new. */
  reread(): (texts: readonly string[]) => Generator<Item>;
};

function positionAfter(cursor: LogCursor | null): Position {
  const places = new Map<string, LogPlace>(cursor?.places);
  let begun = false;
  const id = (complete = false) => writeCursor({ complete, places });
  return {
    id,
    isAtStart: () => places.size === 0,
    reread() {
      const resumed = resumeLog(begun ? { complete: false, places: new Map(places) } : cursor);
      return function* (texts) {
        begun = true;
        let told: Line[] = [];
        for (const text of texts) {
          const line = logs.readLine(text);
          const arrival = line.process === null ? resumed.arriveUntimed() : resumed.arrive(line);
          if (arrival === 'seen') continue;
          if (arrival !== 'fresh') {
            if (told.length > 0) yield { id: id(), data: { type: 'lines', lines: told } };
            told = [];
            yield { data: { type: arrival === 'anew' ? 'anew' : 'missing', process: line.process ?? '' } };
          }
          told.push({ at: line.at, process: line.process ?? '', text: line.text });
          if (line.process !== null)
            notePlace(places, line.process, placeAfter(places.get(line.process), line));
        }
        if (told.length > 0) yield { id: id(), data: { type: 'lines', lines: told } };
      };
    },
  };
}

/**
 * A command’s output as log lines without times or processes. Ends without a line where the server gives this
 * login no terminal.
 */
export async function* followPlain(
  connection: RemoteConnection,
  account: Account,
  command: Command,
  signal: AbortSignal,
): AsyncGenerator<Item> {
  for await (const followed of followCommand(connection, account, command, signal)) {
    if (followed.kind !== 'lines') continue;
    const lines = followed.lines.map((text) => ({ at: null, process: '', text: stripCsi(text) }));
    yield { data: { type: 'lines', lines } };
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
