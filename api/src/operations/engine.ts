import { randomUUID } from 'node:crypto';
import { isOver, type OperationKind } from '@homeport/contract/operations/facts';
import type { Operation } from '@homeport/contract/operations/schema';
import { type Database, notify, type Owner, type OwnerWrite, type Store } from '@homeport/store';
import type { Kysely } from 'kysely';
import { notFound, ProblemError } from '../http/problem.ts';
import { tellChange } from '../live/tell-change.ts';
import type { ConnectionSource } from '../remote/server-access.ts';
import type { AnyOperationDefinition } from './definition.ts';
import { forgetOldest } from './forget-oldest.ts';
import { interruptWhere, keepReplicaAlive } from './interrupt-orphans.ts';
import { claimLane, nextInLane, waitsInLane } from './lane.ts';
import { laneWithRoom, roomProblem } from './lane-room.ts';
import { findOperation } from './record.ts';
import { type Ending, runOperation } from './run-operation.ts';

export type EngineDeps = {
  store: Pick<Store, 'db' | 'listener'>;
  definitions: readonly AnyOperationDefinition[];
  connections: ConnectionSource;
  log: { error(details: object, message: string): void };
  /** Operations of one person that are queued, run or wait. */
  most: number;
  /** True where no other process can be running operations on this store: what is left running was interrupted. */
  sole: boolean;
};

export type StartRequest = {
  kind: OperationKind;
  owner: Owner;
  sessionId: string;
  /** One changing operation at a time runs per lane; see `lanes.ts`. */
  lane: string;
  input: unknown;
  serverId?: string;
  serverKey?: string;
  serverName?: string;
  appId?: string;
  longname?: string;
  /** Runs in the transaction that adds the operation; what it throws keeps the operation from being added. */
  admit?: (scope: Pick<OwnerWrite, 'owner' | 'db'>) => Promise<void>;
};

export type OperationEngine = {
  /** Throws `limit_reached` where too much of the person's waits already. */
  start(request: StartRequest): Promise<Operation>;
  cancel(owner: Owner, id: string): Promise<Operation>;
  /** Goes on from the first step that is not done, on the connection of the session that asks. */
  retry(owner: Owner, sessionId: string, id: string): Promise<Operation>;
  /** Lets what waits for a connection go on over those of the session that asks, from then on. */
  continueOver(owner: Owner, sessionId: string, id: string): Promise<Operation>;
  /** Ends what runs here; it is marked interrupted and can be run again. */
  close(): Promise<void>;
};

/** Runs operations of this process, one at a time per lane, and marks those of vanished processes interrupted. */
export async function createOperationEngine(deps: EngineDeps): Promise<OperationEngine> {
  const { db, listener } = deps.store;
  const replicaId = randomUUID();
  const running = new Map<string, { abort: AbortController; ended: Promise<void>; told: EventTarget }>();
  const definitionOf = (kind: string): AnyOperationDefinition => {
    const definition = deps.definitions.find((each) => each.kind === kind);
    if (!definition) throw new Error(`No definition of the operation ${kind}.`);
    return definition;
  };
  let closing = false;
  // What may stand in the store as going on here and does not: the store could not be reached, or was full, when it ended.
  const unrecorded = new Set<string>();
  const recordEndings = async () => {
    const ids = [...unrecorded].filter((id) => !running.has(id));
    if (ids.length === 0) return;
    await interruptWhere(db, (eb) =>
      eb.and([eb('id', 'in', ids), eb('replica_id', '=', replicaId), eb('state', '!=', 'queued')]),
    );
    for (const id of ids) unrecorded.delete(id);
  };

  const begin = async (id: string): Promise<void> => {
    if (closing) return;
    const row = await claimLane(db, id, replicaId).catch((error: unknown) => {
      unrecorded.add(id);
      throw error;
    });
    if (!row) return;
    unrecorded.delete(id);
    const abort = new AbortController();
    const told = new EventTarget();
    const ended = runOperation({ ...deps, db }, row, definitionOf(row.kind), abort.signal, told)
      .catch((error: unknown) => {
        unrecorded.add(id);
        deps.log.error({ err: error, operationId: id }, 'an operation could not be recorded');
      })
      .finally(() => {
        running.delete(id);
        void beginNext(row.lane);
      });
    running.set(id, { abort, ended, told });
  };

  const beginNext = async (lane: string): Promise<void> => {
    try {
      // Noted before it is tried: a lane that is freed meanwhile is told of, and nobody misses it.
      queuedLanes.add(lane);
      const id = await nextInLane(db, lane, replicaId);
      if (id) await begin(id);
      if (!(await waitsInLane(db, lane, replicaId))) queuedLanes.delete(lane);
    } catch (error) {
      if (!closing) deps.log.error({ err: error, lane }, 'the next operation of a lane could not be started');
    }
  };
  // Lanes in which something of this process waits. Another process may free one: then its operation is told of.
  const queuedLanes = new Set<string>();
  const beginQueued = async () => {
    const lanes = [...queuedLanes];
    queuedLanes.clear();
    for (const lane of lanes) await beginNext(lane);
  };
  const stopListening = await listener.on('operation', ({ operation }) => {
    running.get(operation)?.told.dispatchEvent(new Event('change'));
    void beginQueued();
  });
  const stopWatching = listener.onReconnect(() => {
    for (const { told } of running.values()) told.dispatchEvent(new Event('change'));
    void beginQueued();
  });
  const replica = await keepReplicaAlive({ ...deps, db }, replicaId, async () => {
    await recordEndings();
    await beginQueued();
  });

  const forgetting = new Set<Promise<void>>();
  const forgetSoon = (owner: Owner) => {
    const done: Promise<void> = forgetOldest(db, owner)
      .catch((error: unknown) =>
        deps.log.error({ err: error }, 'operations that are long over could not be removed'),
      )
      .finally(() => forgetting.delete(done));
    forgetting.add(done);
  };

  const tell = async (operation: Operation, owner: Owner) => {
    await tellChange(db, owner, 'operations', operation.id);
    return operation;
  };
  const found = async (owner: Owner, id: string): Promise<Operation> => {
    const operation = await findOperation(db, owner, id);
    if (!operation) throw notFound('operation');
    return operation;
  };

  return {
    async start(request) {
      const bound = definitionOf(request.kind).parse(request.input);
      const steps = bound.steps.map((plan) => ({
        key: plan.key,
        title: plan.title,
        state: 'waiting',
        percent: plan.percent ?? null,
        account: null,
        startedAt: null,
        endedAt: null,
        note: null,
      }));
      const { owner, lane, admit } = request;
      const add = (on: Kysely<Database>) =>
        on
          .insertInto('operations')
          .values({
            owner_id: owner,
            session_id: request.sessionId,
            kind: request.kind,
            title: bound.title,
            state: 'queued',
            lane: laneWithRoom(owner, lane, deps.most),
            server_id: request.serverId ?? null,
            server_key: request.serverKey ?? null,
            server_name: request.serverName ?? null,
            app_id: request.appId ?? null,
            longname: request.longname ?? null,
            percent: bound.steps.some((plan) => plan.percent !== undefined) ? 0 : null,
            steps: JSON.stringify(steps),
            input: JSON.stringify(request.input),
            replica_id: replicaId,
            created_at: Date.now(),
          })
          .returning('id')
          .executeTakeFirstOrThrow();
      const { id } = await (admit
        ? db.transaction().execute(async (transaction) => {
            await admit({ owner, db: transaction });
            return add(transaction);
          })
        : add(db)
      ).catch((error: unknown) => {
        throw roomProblem(error, deps.most);
      });
      await beginNext(lane);
      forgetSoon(owner);
      return tell(await found(owner, id), owner);
    },

    async cancel(owner, id) {
      const operation = await found(owner, id);
      if (isOver(operation.state))
        throw new ProblemError('conflict', 'This work is over; there is nothing to cancel.');
      const here = running.get(id);
      if (here) {
        here.abort.abort('cancelled' satisfies Ending);
        await here.ended;
      } else {
        await db
          .updateTable('operations')
          .set({ state: 'cancelled', waiting_for: null, ended_at: Date.now() })
          .where('id', '=', id)
          .where('owner_id', '=', owner)
          .where('state', '=', 'queued')
          .execute();
      }
      return tell(await found(owner, id), owner);
    },

    async retry(owner, sessionId, id) {
      const operation = await found(owner, id);
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
          lane: laneWithRoom(owner, eb.ref('lane'), deps.most),
          session_id: sessionId,
          replica_id: replicaId,
          steps: JSON.stringify(steps),
          problem: null,
          waiting_for: null,
          ended_at: null,
        }))
        .where('id', '=', id)
        .where('owner_id', '=', owner)
        .where('state', 'in', ['failed', 'interrupted', 'cancelled'])
        .returning('lane')
        .executeTakeFirst()
        .catch((error: unknown) => {
          throw roomProblem(error, deps.most);
        });
      if (!row) throw new ProblemError('busy', 'This work has just been started again.');
      await beginNext(row.lane);
      return tell(await found(owner, id), owner);
    },

    async continueOver(owner, sessionId, id) {
      await found(owner, id);
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
      return tell(await found(owner, id), owner);
    },

    async close() {
      closing = true;
      stopListening();
      stopWatching();
      for (const each of running.values()) each.abort.abort('interrupted' satisfies Ending);
      await Promise.all([...running.values()].map((each) => each.ended));
      await Promise.all(forgetting);
      await replica.stop();
    },
  };
}
