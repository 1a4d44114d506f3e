import { type Database, notify, type Owner } from '@homeport/store';
import type { Kysely } from 'kysely';
import { ProblemError } from '../http/problem.ts';

/**
 * Gives a waiting operation to another session of the same person, and notifies the process that runs the
 * operation.
 */
export async function takeOver(
  db: Kysely<Database>,
  { owner, sessionId, id }: { owner: Owner; sessionId: string; id: string },
): Promise<void> {
  const row = await db
    .updateTable('operations')
    .set({ session_id: sessionId })
    .where('id', '=', id)
    .where('owner_id', '=', owner)
    .where('state', '=', 'waiting')
    .returning('id')
    .executeTakeFirst();
  if (!row) throw new ProblemError('conflict', 'This work does not wait for a connection.');
  await notify(db, 'operation', { owner, operation: id });
}
