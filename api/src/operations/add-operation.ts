import type { OperationKind } from '@homeport/contract/operations/facts';
import type { Database, Owner, OwnerWrite } from '@homeport/store';
import type { Kysely } from 'kysely';
import type { BoundOperation } from './definition.ts';
import { laneWithRoom, roomProblem } from './lane-room.ts';

export type StartRequest = {
  kind: OperationKind;
  owner: Owner;
  sessionId: string;
  /** At most one changing operation runs per lane; see `lane.ts`. */
  lane: string;
  /** Lanes that the operation takes too, because it changes what they stand for. */
  alsoLanes?: readonly string[];
  input: unknown;
  serverId?: string;
  serverKey?: string;
  serverName?: string;
  appId?: string;
  databaseId?: string;
  longname?: string;
  /** Runs in the transaction that adds the operation. An error that it throws prevents the addition. */
  admit?: (scope: Pick<OwnerWrite, 'owner' | 'db'>) => Promise<void>;
  /** Runs in the same transaction, after the addition. */
  added?: (scope: Pick<OwnerWrite, 'owner' | 'db'>, id: string) => Promise<void>;
};

/**
 * Queues a new operation of this process and returns its id. Throws `limit_reached` when too many operations
 * wait already.
 */
export async function addOperation(
  db: Kysely<Database>,
  request: StartRequest,
  bound: Pick<BoundOperation, 'title' | 'steps'>,
  { replicaId, most }: { replicaId: string; most: number },
): Promise<string> {
  const { owner, admit, added } = request;
  const add = (on: Kysely<Database>) =>
    on
      .insertInto('operations')
      .values({
        owner_id: owner,
        session_id: request.sessionId,
        kind: request.kind,
        title: bound.title,
        state: 'queued',
        lane: laneWithRoom(owner, request.lane, most),
        also_lanes: [...(request.alsoLanes ?? [])],
        server_id: request.serverId ?? null,
        server_key: request.serverKey ?? null,
        server_name: request.serverName ?? null,
        app_id: request.appId ?? null,
        database_id: request.databaseId ?? null,
        longname: request.longname ?? null,
        percent: bound.steps.some((plan) => plan.percent !== undefined) ? 0 : null,
        steps: JSON.stringify(waitingSteps(bound.steps)),
        input: JSON.stringify(request.input),
        replica_id: replicaId,
        created_at: Date.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
  try {
    if (!admit && !added) return (await add(db)).id;
    return await db.transaction().execute(async (transaction) => {
      await admit?.({ owner, db: transaction });
      const { id } = await add(transaction);
      await added?.({ owner, db: transaction }, id);
      return id;
    });
  } catch (error) {
    throw roomProblem(error, most);
  }
}

const waitingSteps = (plans: BoundOperation['steps']) =>
  plans.map((plan) => ({
    key: plan.key,
    title: plan.title,
    state: 'waiting',
    percent: plan.percent ?? null,
    account: null,
    startedAt: null,
    endedAt: null,
    note: null,
  }));
