import type { Database, Store } from '@homeport/store';
import type { Kysely } from 'kysely';
import type { ConnectionSource } from '../remote/server-access.ts';
import { askedElsewhere } from './cancel.ts';
import type { AnyOperationDefinition } from './definition.ts';
import { interruptWhere, keepReplicaAlive } from './interrupt-orphans.ts';
import { claimLane, nextInLane, waitsInLane } from './lane.ts';
import { type Ending, runOperation } from './run-operation.ts';

export type LaneRunnerDeps = {
  db: Kysely<Database>;
  listener: Store['listener'];
  connections: ConnectionSource;
  log: { error(details: object, message: string): void };
  sole: boolean;
  replicaId: string;
  definitionOf(kind: string): AnyOperationDefinition;
};

export type LaneRunner = {
  /** Begins the oldest queued operation of a lane, if it belongs to this process and its lanes are free. */
  beginNext(lane: string): Promise<void>;
  /**
   * Cancels an operation that runs in this process. Resolves with true once it has ended, and with false if
   * it does not run here.
   */
  cancel(id: string): Promise<boolean>;
  /** Ends the operations of this process. They are marked interrupted and can be run again. */
  close(): Promise<void>;
};

type Running = { abort: AbortController; ended: Promise<void>; told: EventTarget };

/**
 * Runs the queued operations of this process, one at a time per lane, and marks the operations of vanished
 * processes interrupted.
 */
export async function createLaneRunner(deps: LaneRunnerDeps): Promise<LaneRunner> {
  const { db, listener, replicaId, definitionOf } = deps;
  const running = new Map<string, Running>();
  // Lanes in which an operation of this process waits. When an operation of another process frees a lane, a
  // notification arrives.
  const queuedLanes = new Set<string>();
  const unrecorded = createUnrecorded(db, replicaId);
  let closing = false;
  const end = (id: string, ending: Ending) => running.get(id)?.abort.abort(ending);

  const begin = async (id: string): Promise<void> => {
    if (closing) return;
    const row = await claimLane(db, id, replicaId).catch((error: unknown) => {
      unrecorded.add(id);
      throw error;
    });
    if (!row) return;
    unrecorded.remove(id);
    const abort = new AbortController();
    const told = new EventTarget();
    const ended = runOperation(deps, row, definitionOf(row.kind), abort.signal, told)
      .catch((error: unknown) => {
        unrecorded.add(id);
        deps.log.error({ err: error, operationId: id }, 'an operation could not be recorded');
      })
      .finally(() => {
        running.delete(id);
        for (const lane of [row.lane, ...row.also_lanes]) void beginNext(lane);
      });
    running.set(id, { abort, ended, told });
  };
  const beginNext = async (lane: string): Promise<void> => {
    try {
      // Register the lane before claiming it, so that a notification sent in between is not lost.
      queuedLanes.add(lane);
      const id = await nextInLane(db, lane, replicaId);
      if (id) await begin(id);
      if (!(await waitsInLane(db, lane, replicaId))) queuedLanes.delete(lane);
    } catch (error) {
      if (!closing) deps.log.error({ err: error, lane }, 'the next operation of a lane could not be started');
    }
  };
  const beginQueued = async () => {
    const lanes = [...queuedLanes];
    queuedLanes.clear();
    for (const lane of lanes) await beginNext(lane);
  };

  const abortAsked = async () => {
    for (const id of await askedElsewhere(db, replicaId)) end(id, 'cancelled');
  };

  const stopListening = await listener.on('operation', ({ operation, cancel }) => {
    if (cancel) end(operation, 'cancelled');
    running.get(operation)?.told.dispatchEvent(new Event('change'));
    void beginQueued();
  });
  const stopWatching = listener.onReconnect(() => {
    for (const { told } of running.values()) told.dispatchEvent(new Event('change'));
    void beginQueued();
  });
  const replica = await keepReplicaAlive(deps, replicaId, async () => {
    await unrecorded.record((id) => running.has(id));
    await beginQueued();
    // A notification can be lost.
    if (running.size > 0) await abortAsked();
  });

  return {
    beginNext,
    async cancel(id) {
      const here = running.get(id);
      end(id, 'cancelled');
      await here?.ended;
      return here !== undefined;
    },
    async close() {
      closing = true;
      stopListening();
      stopWatching();
      for (const id of running.keys()) end(id, 'interrupted');
      await Promise.all([...running.values()].map((each) => each.ended));
      await replica.stop();
    },
  };
}

/**
 * Operations that ended here while the store was unreachable or full. The store may still list them as
 * running.
 */
function createUnrecorded(db: Kysely<Database>, replicaId: string) {
  const ids = new Set<string>();
  return {
    add: (id: string) => ids.add(id),
    remove: (id: string) => ids.delete(id),
    /** Marks these operations interrupted, except those that run again. */
    async record(runs: (id: string) => boolean): Promise<void> {
      const ended = [...ids].filter((id) => !runs(id));
      if (ended.length === 0) return;
      await interruptWhere(db, (eb) =>
        eb.and([eb('id', 'in', ended), eb('replica_id', '=', replicaId), eb('state', '!=', 'queued')]),
      );
      for (const id of ended) ids.delete(id);
    },
  };
}
