import { type Database, notify, ownerFromSession, repeatWork } from '@homeport/store';
import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely';
import { notifyChange } from '../live/notify-change.ts';
import { type OperationRow, stepsOf } from './record.ts';

const goneAfterMs = 30_000;

type Deps = { db: Kysely<Database>; sole: boolean; log: { error(details: object, message: string): void } };

/**
 * Reports every ten seconds that this process lives, and marks the operations of processes that stopped
 * reporting `interrupted`. With `sole`, operations that an earlier process left running are marked at once.
 * Calls `onBeat` after each report that the store took.
 */
export async function keepReplicaAlive(
  deps: Deps,
  replicaId: string,
  onBeat: () => Promise<void>,
): Promise<{ stop(): Promise<void> }> {
  const beat = async () => {
    const now = Date.now();
    await deps.db
      .insertInto('replicas')
      .values({ id: replicaId, seen_at: now })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: now }))
      .execute();
    await deps.db
      .deleteFrom('replicas')
      .where('seen_at', '<', now - goneAfterMs)
      .execute();
    await interruptWhere(deps.db, (eb) =>
      eb.or([
        eb('replica_id', 'is', null),
        eb('replica_id', 'not in', eb.selectFrom('replicas').select('replicas.id')),
      ]),
    );
    await onBeat();
  };
  if (deps.sole) await deps.db.deleteFrom('replicas').execute();
  await beat();
  const beats = repeatWork('replicas', beat, (error) =>
    deps.log.error({ err: error }, 'the search for operations of vanished processes failed'),
  );
  return {
    async stop() {
      await beats.stop();
      await deps.db.deleteFrom('replicas').where('id', '=', replicaId).execute();
    },
  };
}

/** Marks those of the chosen operations that are not over as interrupted, and notifies their readers. */
export async function interruptWhere(
  db: Kysely<Database>,
  which: (eb: ExpressionBuilder<Database, 'operations'>) => Expression<SqlBool>,
): Promise<void> {
  const orphans = await db
    .updateTable('operations')
    .set({ state: 'interrupted', waiting_for: null, ended_at: Date.now() })
    .where('state', 'in', ['queued', 'running', 'waiting'])
    .where(which)
    .returning(['id', 'owner_id', 'steps', 'kind', 'server_id'])
    .execute();
  for (const orphan of orphans) {
    await noteEnd(db, orphan);
    const owner = ownerFromSession(orphan.owner_id);
    await notify(db, 'operation', { owner, operation: orphan.id });
    await notifyChange(db, owner, 'operations', orphan.id);
    // The store settled its server with the same statement.
    if (orphan.kind === 'server.install') await notifyChange(db, owner, 'servers', orphan.server_id);
  }
}

/**
 * Records what the vanished process could not: that the operation ended, and when its step ended as far as is
 * known.
 */
async function noteEnd(
  db: Kysely<Database>,
  orphan: { id: string; steps: OperationRow['steps'] },
): Promise<void> {
  const last = await db
    .selectFrom('operation_lines')
    .select(({ fn }) => [fn.max('seq').as('seq'), fn.max('at').as('at')])
    .where('operation_id', '=', orphan.id)
    .executeTakeFirst();
  const steps = stepsOf(orphan);
  const broken = steps.find(({ state }) => state === 'running');
  if (broken) broken.endedAt = Math.max(Number(last?.at ?? 0), broken.startedAt ?? 0);
  await db
    .with('lined', (qb) =>
      qb
        .insertInto('operation_lines')
        .values({
          operation_id: orphan.id,
          seq: Number(last?.seq ?? 0) + 1,
          at: Date.now(),
          step: broken?.key ?? '',
          stream: 'note',
          text: 'The console stopped without warning. The finished steps are kept. Run this operation again to continue from here.',
        })
        .returning('seq'),
    )
    .updateTable('operations')
    .set({ steps: JSON.stringify(steps) })
    .where('id', '=', orphan.id)
    .where('state', '=', 'interrupted')
    .execute();
}
