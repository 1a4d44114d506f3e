import type { ConsoleFacts } from '@homeport/contract/console/schema';
import { readDataFacts, type Store } from '@homeport/store';
import type { Handlers } from '../http/handlers.ts';

type Options = Pick<ConsoleFacts, 'version' | 'commit'> & {
  store: Store;
  /** PostgreSQL is the console's own. */
  embedded: boolean;
  clock: () => number;
};

export function consoleHandlers({ store, embedded, version, commit, clock }: Options) {
  const startedAt = clock();
  return {
    'GET /api/console': async () => {
      const { postgres, postgresStartedAt, bytes, schema, schemaAt } = await readDataFacts(store.pool);
      return {
        ...{ version, commit, startedAt },
        node: process.versions.node,
        postgres: { version: postgres.split(' ')[0] ?? postgres, startedAt: postgresStartedAt, embedded },
        data: { bytes, schema, schemaAt },
      };
    },
  } satisfies Partial<Handlers>;
}
