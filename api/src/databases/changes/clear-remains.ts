import { databaseTypeSchema } from '@homeport/contract/databases/schema';
import { canRunAgain } from '@homeport/contract/operations/facts';
import type { Owner, Store } from '@homeport/store';
import { sql } from 'kysely';
import { z } from 'zod';
import { notFound, ProblemError } from '../../http/problem.ts';
import { notifyChange } from '../../live/notify-change.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
} from '../../operations/definition.ts';
import { creationInputOf } from './creation-input.ts';
import { awaitLeftovers } from './on-database.ts';
import { remainsOf, removeRemains } from './remains.ts';

type Deps = Pick<Store, 'db'>;

const clearInput = z.object({ creationId: z.uuid(), type: databaseTypeSchema, longname: z.string() });
type Clear = z.output<typeof clearInput>;

/** Removes what a creation left that ended early and that nobody wants to run again. Its name is then free on the server. */
export function clearRemains(deps: Deps): AnyOperationDefinition {
  return defineOperation<Clear>({
    kind: 'database.remove-remains',
    input: clearInput,
    title: ({ longname }) => `Removal of what the creation of ${longname} left`,
    steps: () => [
      { key: 'remove', title: 'Remove the remains from the server', run: (context) => clear(deps, context) },
    ],
    beforeRepeat: awaitLeftovers,
  });
}

async function clear({ db }: Deps, context: StepContext<Clear>) {
  const { owner, input } = context;
  // An earlier command of the creation may still run on the server, where the console ended meanwhile.
  await awaitLeftovers(context);
  // Asked only now: the creation may have run again since this removal was asked for. Both take the lane of the database.
  const { facts, serverId } = await findEndedCreation({ db }, owner, input.creationId);
  await refuseRecorded({ db }, owner, { ...input, serverId });
  const removed = await removeRemains(context, remainsOf(facts));
  await db
    .updateTable('operations')
    .set({ result: sql`result || '{"remains": false}'` })
    .where('owner_id', '=', owner)
    .where('id', '=', input.creationId)
    .execute();
  await notifyChange(db, owner, 'operations', input.creationId);
  await context.toast('ok', removed ? 'Remains removed' : 'Nothing was left to remove');
  return undefined;
}

/**
 * Finds a creation that ended early. Throws `not_found` for one that does not exist or is somebody else’s, and `conflict` if it
 * goes on or has succeeded.
 */
export async function findEndedCreation({ db }: Deps, owner: Owner, id: string) {
  const row = await db
    .selectFrom('operations')
    .select(['kind', 'state', 'facts', 'input', 'server_id', 'database_id'])
    .where('owner_id', '=', owner)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound('operation');
  if (row.kind !== 'database.create' || row.server_id === null)
    throw new ProblemError('conflict', 'This work left nothing that could be removed.');
  if (!canRunAgain(row.state) || row.database_id !== null)
    throw new ProblemError('conflict', 'This creation has run again since. Nothing was removed.');
  return { facts: row.facts, input: creationInputOf(row.input), serverId: row.server_id };
}

async function refuseRecorded(
  { db }: Deps,
  owner: Owner,
  { serverId, type, longname }: { serverId: string; type: string; longname: string },
): Promise<void> {
  const recorded = await db
    .selectFrom('databases')
    .select('id')
    .where('owner_id', '=', owner)
    .where('server_id', '=', serverId)
    .where('type', '=', type)
    .where('longname', '=', longname)
    .executeTakeFirst();
  if (recorded)
    throw new ProblemError('conflict', `Homeport lists the database ${longname}. Nothing was removed.`, {
      recovery: 'Delete the database on its own page if nobody needs it.',
    });
}
