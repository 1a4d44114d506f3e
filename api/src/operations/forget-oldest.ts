import { keptOperations } from '@homeport/contract/limits';
import { overStates } from '@homeport/contract/operations/facts';
import type { Database, Owner } from '@homeport/store';
import type { Kysely } from 'kysely';

/**
 * Removes the person's oldest finished operations with their logs, because an account's history must not grow
 * without end.
 */
export async function forgetOldest(db: Kysely<Database>, owner: Owner, kept = keptOperations): Promise<void> {
  await db
    .deleteFrom('operations')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('operations')
        .select('id')
        .where('owner_id', '=', owner)
        .where('state', 'in', overStates)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .offset(kept),
    )
    .where('owner_id', '=', owner)
    .where('state', 'in', overStates)
    .execute();
}
