import type { ConsoleFacts } from '@homeport/contract/console/schema';
import { readDataFacts } from '@homeport/store';
import type { Handlers } from '../http/handlers.ts';
import { checkBackup } from './backups/check-backup.ts';
import type { BackupDeps } from './backups/deps.ts';
import { fetchBackup, noteFetch } from './backups/fetch-backup.ts';
import { listBackups } from './backups/list-backups.ts';
import { beginBackup } from './backups/make-backup.ts';
import { setPlan } from './backups/plan.ts';
import { readDisk } from './read-disk.ts';

type Options = Pick<ConsoleFacts, 'version' | 'commit'> & {
  backups: BackupDeps;
  /** PostgreSQL is the console's own. */
  embedded: boolean;
  postgres: OwnPostgres;
};

/** What the launcher knows of the console's own PostgreSQL. */
export type OwnPostgres = {
  /** The folder of programs that the operator named; null: Homeport brings them. */
  programs: string | null;
  /** Clusters from before a move to a newer major version. */
  kept(): Promise<ConsoleFacts['postgres']['kept']>;
};

export function consoleHandlers({ backups, embedded, postgres: own, version, commit }: Options) {
  const { store, clock } = backups;
  const startedAt = clock();
  return {
    'GET /api/console': async () => {
      const { postgres, postgresStartedAt, bytes, schema, schemaAt } = await readDataFacts(store.pool);
      return {
        ...{ version, commit, startedAt },
        node: process.versions.node,
        postgres: {
          ...{ version: postgres.split(' ')[0] ?? postgres, startedAt: postgresStartedAt, embedded },
          programs: embedded ? own.programs : null,
          kept: embedded ? await own.kept() : [],
        },
        data: { bytes, schema, schemaAt },
        disk: await readDisk(backups.folder.path),
      };
    },
    'GET /api/console/backups': () => listBackups(backups),
    'POST /api/console/backups': async ({ session, body }) =>
      (await beginBackup(backups, session, body)).backup,
    'PUT /api/console/backups/plan': ({ session, body }) => setPlan(backups, session, body),
    'POST /api/console/backups/:id/check': ({ params }) => checkBackup(backups, params.id),
    'POST /api/console/backups/:id/fetch': async ({ session, params }) => {
      await noteFetch(backups, session, params.id);
      return { noted: true as const };
    },
    'GET /api/console/backups/:id/file': ({ params }) => fetchBackup(backups, params.id),
  } satisfies Partial<Handlers>;
}
