import { type Database, notify, ownerFromSession } from '@homeport/store';
import type { Kysely } from 'kysely';

const beatEveryMs = 10_000;
const goneAfterMs = 30_000;

type Deps = { db: Kysely<Database>; sole: boolean; log: { error(details: object, message: string): void } };

/**
 * Says every ten seconds that this process lives, and marks the operations of processes that no longer say so
 * `interrupted`. With `sole`, whatever an earlier process left running is marked at once.
 */
export async function keepReplicaAlive(deps: Deps, replicaId: string): Promise<{ stop(): Promise<void> }> {
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
    await interruptOrphans(deps.db);
  };
  if (deps.sole) await deps.db.deleteFrom('replicas').execute();
  await beat();
  const timer = setInterval(() => {
    beat().catch((error: unknown) =>
      deps.log.error({ err: error }, 'operations of vanished processes could not be looked for'),
    );
  }, beatEveryMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await deps.db.deleteFrom('replicas').where('id', '=', replicaId).execute();
    },
  };
}

async function interruptOrphans(db: Kysely<Database>): Promise<void> {
  const orphans = await db
    .updateTable('operations')
    .set({ state: 'interrupted', waiting_for: null, ended_at: Date.now() })
    .where('state', 'in', ['queued', 'running', 'waiting'])
    .where((eb) =>
      eb.or([
        eb('replica_id', 'is', null),
        eb('replica_id', 'not in', eb.selectFrom('replicas').select('replicas.id')),
      ]),
    )
    .returning(['id', 'owner_id'])
    .execute();
  for (const { id, owner_id } of orphans) {
    await notify(db, 'operation', { owner: ownerFromSession(owner_id), operation: id });
  }
}
