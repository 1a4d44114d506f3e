import { dumpsListed } from '@homeport/contract/databases/facts';
import type { Dumps } from '@homeport/contract/databases/schema';
import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import type { DumpFacts } from '@homeport/contract/databases/types/type-facts';
import { dumps, failureOf, homeport, type Outcome, serviceName } from '@homeport/dokku';
import { notFound, ProblemError } from '../../http/problem.ts';
import type { DatabaseRow } from '../../records/database-record.ts';
import { failureSentence } from '../../remote/failure-sentence.ts';
import { type CommandRecord, type Run, tailOf } from '../../remote/run-command.ts';

type Service = Pick<DatabaseRow, 'type' | 'longname'>;

/** @throws ProblemError for a type whose plugin cannot export. */
export function requireDumps({ type }: Pick<Service, 'type'>): Extract<DumpFacts, { kind: 'file' }> {
  const { dump } = databaseTypeOf(type);
  if (dump.kind === 'file') return dump;
  throw new ProblemError('conflict', dump.reason);
}

/** The dumps that the server keeps of a database. */
export async function listDumps(run: Run, database: Service): Promise<Dumps> {
  const ran = await askForDumps(run, database);
  return ran ? { kind: 'listed', ...newestOf(ran) } : { kind: 'plugin_missing' };
}

export type FoundDump = dumps.ReportedDump & { comparesWhileSending: boolean };

/** @throws ProblemError `not_found`, also where the server has no plugin that keeps dumps. */
export async function findDump(run: Run, database: Service, id: string): Promise<FoundDump> {
  const ran = await askForDumps(run, database);
  const dump = ran && newestOf(ran).dumps.find((each) => each.id === id);
  if (!dump) throw notFound('dump');
  return { ...dump, comparesWhileSending: dumps.comparesWhileSending(ran) };
}

/** The server's list, or null where it has no plugin that keeps dumps. */
async function askForDumps(run: Run, database: Service): Promise<Outcome | null> {
  requireDumps(database);
  const ran = await run(dumps.list(database.type, serviceName(database.longname)), {
    accept: 'any',
    quiet: true,
  });
  if (homeport.isAbsent(ran)) return null;
  if (ran.exitCode !== 0) throw refusedDump(ran);
  return ran;
}

function newestOf(ran: Outcome) {
  const told = dumps.readDumps(ran);
  return { ...told, dumps: told.dumps.slice(0, dumpsListed) };
}

/** Says why the server did not do what was asked of a dump. */
export function refusedDump(ran: Outcome & { record?: CommandRecord }): ProblemError {
  const failure = failureOf(ran);
  if (failure?.code === 'dump_missing') return notFound('dump');
  if (homeport.isAbsent(ran))
    return new ProblemError(
      'conflict',
      'Homeport’s plugin on this server is missing, or does not know dumps yet.',
      {
        recovery: 'Install or update it on the server’s page, then try again.',
      },
    );
  const sentence = failure ? failureSentence(failure) : 'The server did not do this.';
  const code =
    failure?.code === 'dump_no_room' || failure?.code === 'dump_exists' ? 'conflict' : 'remote_failed';
  return new ProblemError(code, sentence, {
    ...(failure?.code === 'dump_no_room'
      ? { recovery: 'Delete dumps or other files on the server, then try again.' }
      : {}),
    // The output may be the file itself, so only the errors are shown.
    ...(ran.record
      ? { remote: { ...ran.record, outputTail: tailOf({ stdout: '', stderr: ran.stderr }) } }
      : {}),
  });
}
