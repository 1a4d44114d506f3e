import type { DumpOrigin } from '@homeport/contract/databases/facts';
import { dumps, failureOf } from '@homeport/dokku';
import { z } from 'zod';
import { notifyChange } from '../../live/notify-change.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
} from '../../operations/definition.ts';
import { refusedDump } from '../dumps/list-dumps.ts';
import { awaitLeftovers, type Deps, nameOf, type OnDatabase, onDatabaseInput } from './on-database.ts';

/** With hundreds of gigabytes on a slow disk. */
export const dumpDeadlineMs = 12 * 60 * 60_000;

/** Makes a dump on the database's server. A repeated step finds the dump of the earlier try. */
export function dumpDatabase(deps: Deps): AnyOperationDefinition {
  return defineOperation<OnDatabase>({
    kind: 'database.dump',
    input: onDatabaseInput,
    title: () => 'Dump',
    steps: () => [
      {
        key: 'dump',
        title: 'Make a dump on the server',
        run: async (context) => {
          const made = await makeDump(context, 'made');
          if (made?.bytes !== undefined) await context.result({ bytes: made.bytes });
          await notifyChange(deps.db, context.owner, 'databases', context.input.databaseId);
          await context.toast('ok', 'Dump made');
          return undefined;
        },
      },
    ],
    beforeRepeat: awaitLeftovers,
  });
}

/** Makes a dump that has the operation's id. Returns null where the database gave nothing to dump. */
export async function makeDump(
  context: Pick<StepContext<OnDatabase>, 'operationId' | 'input' | 'run'>,
  origin: Exclude<DumpOrigin, 'uploaded'>,
): Promise<{ bytes: number | undefined } | null> {
  const id = dumps.dumpId(z.uuid().parse(context.operationId));
  const ran = await context.run('apps', dumps.make(context.input.type, nameOf(context), id, origin), {
    accept: 'any',
    quiet: 'answer',
    deadlineMs: dumpDeadlineMs,
  });
  if (ran.exitCode === 0) return { bytes: dumps.readDumps(ran).dumps.find((dump) => dump.id === id)?.bytes };
  if (origin === 'before_restore' && failureOf(ran)?.code === 'dump_empty') return null;
  throw refusedDump(ran);
}
