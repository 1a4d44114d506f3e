import type { Database, Owner } from '@homeport/store';
import type { Kysely } from 'kysely';
import { notFound } from '../http/problem.ts';

/**
 * Records that a page has shown how an operation ended. Throws `not_found` for an operation that does not
 * exist or is somebody else’s.
 */
export async function markSeen(db: Kysely<Database>, owner: Owner, id: string, now: number): Promise<void> {
  const seen = await db
    .updateTable('operations')
    .set({ seen_at: now })
    .where('id', '=', id)
    .where('owner_id', '=', owner)
    .returning('id')
    .executeTakeFirst();
  if (!seen) throw notFound('operation');
}
