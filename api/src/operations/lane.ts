import { type Database, isUniqueViolation } from '@homeport/store';
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { OperationRow } from './record.ts';

/** Operations on one app or database wait for each other, and so do operations on one server as a whole. */
export const serverLane = (serverId: string) => `server:${serverId}`;
export const appLane = (serverId: string, longname: string) => `app:${serverId}:${longname}`;
/** A one-off command holds nothing up but other ones of its app, and the app's destruction. */
export const commandLane = (serverId: string, longname: string) => `command:${serverId}:${longname}`;
/** A stop must not wait for the command that it stops. */
export const commandStopLane = (serverId: string, longname: string) => `command-stop:${serverId}:${longname}`;
export const databaseLane = (serverId: string, type: string, longname: string) =>
  `database:${serverId}:${type}:${longname}`;

/** Whether an operation takes the lane, as its own or beside its own. */
const takes = (lane: string) => (eb: ExpressionBuilder<Database, 'operations'>) =>
  eb.or([eb('lane', '=', lane), eb(eb.val(lane), '=', sql<string>`any(${eb.ref('also_lanes')})`)]);

/**
 * Returns the oldest queued operation of a lane if it waits in this process. Another process starts its own
 * operations.
 */
export async function nextInLane(
  db: Kysely<Database>,
  lane: string,
  replicaId: string,
): Promise<string | null> {
  const oldest = await db
    .selectFrom('operations')
    .select(['id', 'replica_id'])
    .where(takes(lane))
    .where('state', '=', 'queued')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return oldest && oldest.replica_id === replicaId ? oldest.id : null;
}

export async function waitsInLane(db: Kysely<Database>, lane: string, replicaId: string): Promise<boolean> {
  const row = await db
    .selectFrom('operations')
    .select('id')
    .where(takes(lane))
    .where('state', '=', 'queued')
    .where('replica_id', '=', replicaId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Takes all lanes of an operation. If one of them is taken, takes none, records what the operation waits for and
 * returns null. The store decides: `held_lanes` has each lane once, over all processes.
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
    .innerJoin('held_lanes', (join) =>
      join.on((eb) =>
        eb.or([
          eb('held_lanes.lane', '=', eb.ref('mine.lane')),
          eb('held_lanes.lane', '=', sql<string>`any(${eb.ref('mine.also_lanes')})`),
        ]),
      ),
    )
    .innerJoin('operations as ahead', 'ahead.id', 'held_lanes.operation_id')
    .select('ahead.title')
    .where('mine.id', '=', id)
    .limit(1)
    .executeTakeFirst();
  const waitingFor = { reason: 'operation', text: `Waiting for ${ahead?.title ?? 'other work'} to finish` };
  await db
    .updateTable('operations')
    .set({ waiting_for: JSON.stringify(waitingFor) })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .execute();
}
