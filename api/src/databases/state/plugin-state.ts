import { type DatabaseTypeName, databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import { failureOf, homeport, serviceName } from '@homeport/dokku';
import type { DatabaseFacts } from '../../records/database-record.ts';
import type { Run } from '../../remote/run-command.ts';

type Service = { type: DatabaseTypeName; longname: string };

/** The plugin measures the data within 20 s. */
const deadlineMs = 60_000;

/**
 * Reads a database through Homeport’s own plugin: one start of Dokku. Null where the plugin cannot tell: the server has
 * none, or an older one, or Docker did not answer.
 */
export async function readThroughPlugin(
  run: Run,
  { type, longname }: Service,
): Promise<{ kind: 'missing' } | { kind: 'present'; facts: DatabaseFacts } | null> {
  const ran = await run(homeport.databaseState(type, serviceName(longname)), {
    accept: 'any',
    quiet: true,
    deadlineMs,
  });
  if (ran.exitCode !== 0) return failureOf(ran)?.code === 'service_missing' ? { kind: 'missing' } : null;
  const told = homeport.readDatabaseState(ran);
  return told && told.state !== 'unknown' ? { kind: 'present', facts: factsOf(told) } : null;
}

/** What the plugin tells of all databases of a server in one start of Dokku. Null where it cannot tell. */
export async function readDatabaseStates(run: Run): Promise<readonly homeport.ReportedDatabase[] | null> {
  const ran = await run(homeport.databaseStates(), {
    accept: 'any',
    quiet: true,
    deadlineMs: 120_000,
    maxOutputBytes: 16 * 1024 * 1024,
  });
  return ran.exitCode === 0 ? homeport.readDatabaseStates(ran) : null;
}

export function factsOf(told: homeport.ReportedDatabase): DatabaseFacts {
  const {
    type,
    state,
    ending,
    containerId,
    imageVersion,
    ports,
    exposureFails,
    memoryBytes,
    dataBytes,
    links,
  } = told;
  return {
    state,
    ending,
    containerId,
    imageVersion,
    ports,
    // Only while the database runs can something fail to lead to it.
    ...(state === 'running' ? { exposureFails } : {}),
    // Without a container there is no limit to read.
    ...(state === 'missing' ? {} : { memoryBytes }),
    dataBytes,
    links: links.map(({ app, variables }) => ({
      appLongname: app,
      ...(variables === null ? {} : { variable: variableOf(type, variables) }),
    })),
  };
}

/** Of the variables that hold a connection string: the type’s usual one if it does, else the first by name. */
export function variableOf(type: DatabaseTypeName, held: readonly string[]): string | null {
  const { variable } = databaseTypeOf(type);
  return held.includes(variable) ? variable : (held.toSorted()[0] ?? null);
}
