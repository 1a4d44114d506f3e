import type { Database, Owner } from '@homeport/store';
import type { Kysely } from 'kysely';
import { told } from './told.ts';

/** Cancels an operation that has not begun, and returns the lanes that it waited for. */
export async function cancelQueued(db: Kysely<Database>, owner: Owner, id: string): Promise<string[]> {
  const rows = await db
    .updateTable('operations')
    .set({ state: 'cancelled', waiting_for: null, ended_at: Date.now() })
    .where('id', '=', id)
    .where('owner_id', '=', owner)
    .where('state', '=', 'queued')
    .returning(['lane', 'also_lanes'])
    .execute();
  return rows.flatMap(({ lane, also_lanes }) => [lane, ...also_lanes]);
}

/** Asks the process that runs the operation to cancel it. That process hears it at once, and looks every ten seconds. */
export async function cancelElsewhere(db: Kysely<Database>, owner: Owner, id: string): Promise<void> {
  await db
    .updateTable('operations')
    .set({ cancel_asked: true })
    .where('id', '=', id)
    .where('owner_id', '=', owner)
    .where('state', 'in', ['running', 'waiting'])
    .returning(told('operation', { owner, operation: id, cancel: true }).as('told'))
    .execute();
}

/** The operations of this process that somebody cancelled by another one. */
export async function askedElsewhere(db: Kysely<Database>, replicaId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('operations')
    .select('id')
    .where('replica_id', '=', replicaId)
    .where('cancel_asked', '=', true)
    .where('state', 'in', ['running', 'waiting'])
    .execute();
  return rows.map(({ id }) => id);
}
