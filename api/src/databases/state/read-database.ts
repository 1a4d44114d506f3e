import type { DatabaseTypeName } from '@homeport/contract/databases/types/database-types';
import { failureOf, service, serviceName } from '@homeport/dokku';
import { ProblemError } from '../../http/problem.ts';
import type { DatabaseFacts } from '../../records/database-record.ts';
import { failureSentence } from '../../remote/failure-sentence.ts';
import { type Run, tailOf } from '../../remote/run-command.ts';
import { readThroughPlugin } from './plugin-state.ts';
import { readEnd } from './read-end.ts';
import { readVariable } from './read-variable.ts';

/** A database’s state as its server reports it. `missing`: the server no longer has the database. */
export type ReportedDatabase = { kind: 'missing' } | { kind: 'present'; facts: DatabaseFacts };

type Service = { type: DatabaseTypeName; longname: string };

/** Reading the variables of an app costs a start of Dokku, so no more are read at once without Homeport’s plugin. */
const appsReadAtOnce = 8;

/**
 * Reads a database: through Homeport’s own plugin in one start of Dokku, without the plugin by the service’s own
 * report. `plugin`: the version of Homeport’s plugin on the server, as its record has it; null: none.
 */
export async function readDatabase(run: Run, of: Service, plugin: string | null): Promise<ReportedDatabase> {
  const told = plugin === null ? null : await readThroughPlugin(run, of);
  return told ?? readByInfo(run, of);
}

async function readByInfo(run: Run, { type, longname }: Service): Promise<ReportedDatabase> {
  const ran = await run(service.info(type, serviceName(longname)), { accept: 'any', quiet: true });
  if (ran.exitCode !== 0) {
    const failure = failureOf(ran);
    if (failure?.code === 'service_missing') return { kind: 'missing' };
    throw new ProblemError(
      'remote_failed',
      failure ? failureSentence(failure) : 'The server did not report the database.',
      { remote: { ...ran.record, outputTail: tailOf(ran) } },
    );
  }
  const { dsn, state, containerId, imageVersion, ports, links } = service.readInfo(ran);
  const variables = new Map<string, string | null>();
  for (const app of links.slice(0, appsReadAtOnce))
    variables.set(app, await readVariable(run, type, dsn, app));
  return {
    kind: 'present',
    facts: {
      ...(await readEnd(run, { type, longname }, state)),
      containerId,
      imageVersion,
      ports,
      links: links.map((appLongname) => {
        const variable = variables.get(appLongname);
        return { appLongname, ...(variable === undefined ? {} : { variable }) };
      }),
    },
  };
}
