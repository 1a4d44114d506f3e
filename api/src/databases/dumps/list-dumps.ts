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
  const { type, longname } = database;
  requireDumps(database);
  const ran = await run(dumps.list(type, serviceName(longname)), { accept: 'any', quiet: true });
  if (homeport.isAbsent(ran)) return { kind: 'plugin_missing' };
  if (ran.exitCode !== 0) throw refusedDump(ran);
  const told = dumps.readDumps(ran);
  return { ...told, kind: 'listed', dumps: told.dumps.slice(0, dumpsListed) };
}

/** @throws ProblemError `not_found`, also where the server has no plugin that keeps dumps. */
export async function findDump(run: Run, database: Service, id: string): Promise<dumps.ToldDump> {
  const listed = await listDumps(run, database);
  const dump = listed.kind === 'listed' ? listed.dumps.find((each) => each.id === id) : undefined;
  if (!dump) throw notFound('dump');
  return { ...dump, id: dumps.dumpId(dump.id) };
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
