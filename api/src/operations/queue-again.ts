import { isOver } from '@homeport/contract/operations/facts';
import type { Operation } from '@homeport/contract/operations/schema';
import type { Database, Owner } from '@homeport/store';
import type { Kysely } from 'kysely';
import { ProblemError } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { laneWithRoom, roomProblem } from './lane-room.ts';

/**
 * Queues an unsuccessful operation once more, for the asking session, and returns its lane. Finished steps
 * stay finished. Throws `limit_reached` when too many operations wait already.
 */
export async function queueAgain(
  db: Kysely<Database>,
  operation: Operation,
  { owner, sessionId, replicaId, most }: { owner: Owner; sessionId: string; replicaId: string; most: number },
): Promise<string> {
  if (!isOver(operation.state)) throw new ProblemError('busy', 'This work is still going on.');
  if (operation.state === 'succeeded')
    throw new ProblemError('conflict', 'This work is finished; there is nothing to try again.');
  const steps = operation.steps.map((step) =>
    step.state === 'done' || step.state === 'warned' || step.state === 'skipped'
      ? step
      : { ...step, state: 'waiting', note: null },
  );
  const row = await db
    .updateTable('operations')
    .set((eb) => ({
      state: 'queued',
      lane: laneWithRoom(owner, eb.ref('lane'), most),
      session_id: sessionId,
      replica_id: replicaId,
      steps: JSON.stringify(steps),
      problem: null,
      cancel_asked: false,
      waiting_for: null,
      ended_at: null,
    }))
    .where('id', '=', operation.id)
    .where('owner_id', '=', owner)
    .where('state', 'in', ['failed', 'interrupted', 'cancelled'])
    .returning('lane')
    .executeTakeFirst()
    .catch((error: unknown) => {
      throw roomProblem(error, most);
    });
  if (!row) throw new ProblemError('busy', 'This work has just been started again.');
  if (operation.kind === 'server.install') await markInstalling(db, owner, operation.serverId);
  return row.lane;
}

/** The step that marks the server may be done already. However the work ends early, the store takes the mark back. */
async function markInstalling(db: Kysely<Database>, owner: Owner, serverId: string | null): Promise<void> {
  if (serverId === null) return;
  const marked = await db
    .updateTable('servers')
    .set({ setup: 'installing' })
    .where('owner_id', '=', owner)
    .where('id', '=', serverId)
    .where('setup', '=', 'failed')
    .returning('id')
    .executeTakeFirst();
  if (marked) await notifyChange(db, owner, 'servers', serverId);
}
