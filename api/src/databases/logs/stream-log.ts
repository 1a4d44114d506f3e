import { setTimeout as wait } from 'node:timers/promises';
import type { AppLogEvent } from '@homeport/contract/apps/schema';
import { failureOf, service, serviceName, stripCsi } from '@homeport/dokku';
import { type Followed, followCommand } from '../../apps/logs/follow-command.ts';
import { restOfLog } from '../../apps/logs/rest-of-log.ts';
import { ProblemError } from '../../http/problem.ts';
import { failureSentence } from '../../remote/failure-sentence.ts';
import { asProblem, problemOf, runCommand } from '../../remote/run-command.ts';
import type { ReachedDatabase } from '../reach-database.ts';

type Item = { data: AppLogEvent };
type Reached = Pick<ReachedDatabase, 'connection' | 'account' | 'database'>;

/** Each read starts Dokku once, for about half a second of processor time. */
const pollEveryMs = 10_000;
/** How many past lines such a read asks for: they are held in memory at once. */
const polledLines = 2_000;
const readDeadlineMs = 60_000;

/**
 * Yields the last lines of a database’s log and the lines that follow, until the server ends the stream or the reader
 * leaves. The lines have no times, so a reader who comes back begins anew.
 */
export async function* streamDatabaseLog(
  reached: Reached,
  lines: number,
  signal: AbortSignal,
  everyMs = pollEveryMs,
): AsyncGenerator<Item> {
  const { connection, account, database } = reached;
  const { type, longname } = database;
  const command = service.logs(type, serviceName(longname), { lines, follow: true });
  let last = '';
  yield { data: { type: 'anew', process: '' } };
  for await (const followed of followCommand(connection, account, command, signal)) {
    switch (followed.kind) {
      case 'lines':
        last = followed.lines.at(-1) ?? last;
        yield shown(followed.lines);
        break;
      case 'quiet':
        if (await isEmpty(reached, signal)) yield { data: { type: 'empty' } };
        break;
      case 'no_terminal':
        yield* pollLog(reached, Math.min(lines, polledLines), everyMs, signal);
        break;
      default:
        yield { data: { type: 'ended', reason: reasonOf(followed, last) } };
    }
  }
}

/** Asks once whether the database has written a line. A followed log of a silent database never says so. */
async function isEmpty({ connection, account, database }: Reached, signal: AbortSignal): Promise<boolean> {
  const command = service.logs(database.type, serviceName(database.longname), { lines: 1, follow: false });
  const options = { deadlineMs: readDeadlineMs, accept: 'any' as const };
  const ran = await runCommand(connection, account, command, options, signal).catch(() => null);
  return ran?.exitCode === 0 && ran.stdout === '';
}

const shown = (texts: readonly string[]): Item => ({
  data: {
    type: 'lines',
    lines: texts.map((text) => ({
      at: null,
      process: '',
      text: service.withoutSecrets(stripCsi(text).replace(/\r$/, '')),
    })),
  },
});

/** Reads the log again and again. Between two reads nothing runs on the server. */
async function* pollLog(
  { connection, account, database }: Reached,
  lines: number,
  everyMs: number,
  signal: AbortSignal,
): AsyncGenerator<Item> {
  yield { data: { type: 'polled', everyMs } };
  const name = serviceName(database.longname);
  let told: readonly string[] = [];
  while (!signal.aborted) {
    try {
      const command = service.logs(database.type, name, { lines, follow: false });
      const ran = await runCommand(connection, account, command, { deadlineMs: readDeadlineMs }, signal);
      const stored = ran.stdout.split('\n').slice(0, -1);
      const rest = restOfLog(told, stored);
      if (rest.anew && told.length > 0) yield { data: { type: 'anew', process: '' } };
      if (rest.lines.length > 0) yield shown(rest.lines);
      else if (stored.length === 0) yield { data: { type: 'empty' } };
      told = stored;
    } catch (error) {
      if (signal.aborted) return;
      const problem = asProblem(error);
      if (!(problem instanceof ProblemError)) throw problem;
      yield { data: { type: 'ended', reason: problem.message } };
      return;
    }
    await wait(everyMs, undefined, { signal }).catch(() => {});
  }
}

/** Null if nothing failed and the reader only has to ask again. `last`: the last line, which says what Dokku refused. */
function reasonOf(
  end: Extract<Followed, { kind: 'ended' | 'overdue' | 'failed' }>,
  last: string,
): string | null {
  if (end.kind === 'overdue') return null;
  if (end.kind === 'failed') {
    return end.error.failure.code === 'connection_lost'
      ? 'The connection to the server was lost.'
      : problemOf(end.error).message;
  }
  if (end.exitCode === 0) return 'The server ended the log: the database does not run.';
  const failure = failureOf({ exitCode: end.exitCode, stdout: last, stderr: '' });
  return failure ? failureSentence(failure) : null;
}
