import { type Database, isUniqueViolation } from '@homeport/store';
import type { Kysely } from 'kysely';
import type { OperationRow } from './record.ts';

/** Work on one app waits for other work on it; work on a server as a whole waits for other such work. */
export const serverLane = (serverId: string) => `server:${serverId}`;
export const appLane = (serverId: string, longname: string) => `app:${serverId}:${longname}`;

/** The oldest queued operation of a lane if it waits in this process; another process starts its own. */
export async function nextInLane(
  db: Kysely<Database>,
  lane: string,
  replicaId: string,
): Promise<string | null> {
  const oldest = await db
    .selectFrom('operations')
    .select(['id', 'replica_id'])
    .where('lane', '=', lane)
    .where('state', '=', 'queued')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  return oldest && oldest.replica_id === replicaId ? oldest.id : null;
}

export async function waitsInLane(db: Kysely<Database>, lane: string, replicaId: string): Promise<boolean> {
  const row = await db
    .selectFrom('operations')
    .select('id')
    .where('lane', '=', lane)
    .where('state', '=', 'queued')
    .where('replica_id', '=', replicaId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Takes the lane for an operation, or says on it what it waits for and answers null. The store decides: a unique index
 * lets one row per lane be running or waiting, whichever process it belongs to.
 */
export async function claimLane(
  db: Kysely<Database>,
  id: string,
  replicaId: string,
): Promise<OperationRow | null> {
  try {
    const row = await db
      .updateTable('operations')
      .set((eb) => ({
        state: 'running',
        waiting_for: null,
        replica_id: replicaId,
        started_at: eb.fn.coalesce('started_at', eb.val(Date.now())),
      }))
      .where('id', '=', id)
      .where('state', '=', 'queued')
      .returningAll()
      .executeTakeFirst();
    return row ?? null;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    await sayWhatItWaitsFor(db, id);
    return null;
  }
}

async function sayWhatItWaitsFor(db: Kysely<Database>, id: string): Promise<void> {
  const ahead = await db
    .selectFrom('operations as mine')
    .innerJoin('operations as ahead', 'ahead.lane', 'mine.lane')
    .select('ahead.title')
    .where('mine.id', '=', id)
    .where('ahead.state', 'in', ['running', 'waiting'])
    .executeTakeFirst();
  const waitingFor = { reason: 'operation', text: `Waiting for ${ahead?.title ?? 'other work'} to finish` };
  await db
    .updateTable('operations')
    .set({ waiting_for: JSON.stringify(waitingFor) })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .execute();
}
