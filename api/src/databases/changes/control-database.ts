import type { DatabaseTypeName } from '@homeport/contract/databases/types/database-types';
import type { OperationKind } from '@homeport/contract/operations/facts';
import { type Command, type ServiceName, service } from '@homeport/dokku';
import { type AnyOperationDefinition, defineOperation } from '../../operations/definition.ts';
import { recordStop } from '../../records/database-record.ts';
import {
  awaitLeftovers,
  type Deps,
  nameOf,
  type OnDatabase,
  onDatabaseInput,
  readAgain,
} from './on-database.ts';

type Control = {
  kind: OperationKind;
  title: string;
  step: string;
  command: (type: DatabaseTypeName, name: ServiceName) => Command;
};

const controls: readonly Control[] = [
  { kind: 'database.start', title: 'Start', step: 'Start the database', command: service.start },
  {
    kind: 'database.stop',
    title: 'Stop',
    step: 'Stop the database and keep its container',
    command: service.pause,
  },
  { kind: 'database.restart', title: 'Restart', step: 'Restart the database', command: service.restart },
];

const deadlineMs = 10 * 60_000;

/** Start, stop and restart. Each runs one command and then reads the state again, because an exit code does not tell it. */
export function controlDatabase(deps: Deps): AnyOperationDefinition[] {
  return controls.map(({ kind, title, step, command }) =>
    defineOperation<OnDatabase>({
      kind,
      input: onDatabaseInput,
      title: () => title,
      steps: () => [
        {
          key: 'act',
          title: step,
          run: async (context) => {
            await context.run('apps', command(context.input.type, nameOf(context)), { deadlineMs });
            // Not every server tells later that its database was stopped.
            if (kind === 'database.stop') await recordStop(deps.db, context.owner, context.input.databaseId);
            return undefined;
          },
        },
        {
          key: 'read',
          title: 'Read the database’s state',
          run: async (context) => {
            const { state } = await readAgain(deps, context);
            const isExpected = kind === 'database.stop' ? state !== 'running' : state === 'running';
            return isExpected || state === 'unknown'
              ? undefined
              : {
                  state: 'warned',
                  note: `The server says that the database is ${state}. Its log may say why.`,
                };
          },
        },
      ],
      beforeRepeat: awaitLeftovers,
      onFailure: async (context) => {
        await readAgain(deps, context);
      },
    }),
  );
}
