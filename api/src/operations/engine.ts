import { randomUUID } from 'node:crypto';
import { isOver, type OperationKind } from '@homeport/contract/operations/facts';
import type { Operation } from '@homeport/contract/operations/schema';
import type { Owner, Store } from '@homeport/store';
import { notFound, ProblemError } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { findServer } from '../records/server-record.ts';
import { type ConnectionSource, refuseClosed } from '../remote/server-access.ts';
import { addOperation, type StartRequest } from './add-operation.ts';
import { cancelElsewhere, cancelQueued } from './cancel.ts';
import type { AnyOperationDefinition } from './definition.ts';
import { forgetOldest } from './forget-oldest.ts';
import { createLaneRunner } from './lane-runner.ts';
import { queueAgain } from './queue-again.ts';
import { findOperation } from './record.ts';
import { takeOver } from './take-over.ts';

export type EngineDeps = {
  store: Pick<Store, 'db' | 'listener'>;
  definitions: readonly AnyOperationDefinition[];
  connections: ConnectionSource;
  log: { error(details: object, message: string): void };
  /** How many operations of one person may be queued, running or waiting. */
  most: number;
  /**
   * True when no other process can run operations on this store. Operations that are still marked running
   * were then interrupted.
   */
  sole: boolean;
};

export type OperationEngine = {
  /** Throws `limit_reached` if too many operations of the person wait already. */
  start(request: StartRequest): Promise<Operation>;
  cancel(owner: Owner, id: string): Promise<Operation>;
  /**
   * Cancels what a person has of this kind on a server and what is queued or waits for a connection. What another process runs
   * ends there a moment later, so a right that was taken back must be asked for again where it matters.
   */
  cancelWaiting(owner: Owner, kind: OperationKind, serverId: string): Promise<void>;
  /** Goes on from the first unfinished step, over the connection of the asking session. */
  retry(owner: Owner, sessionId: string, id: string): Promise<Operation>;
  /** Lets a waiting operation go on over the connections of the asking session, from then on. */
  continueOver(owner: Owner, sessionId: string, id: string): Promise<Operation>;
  /** Ends the operations of this process. They are marked interrupted and can be run again. */
  close(): Promise<void>;
};

/** Work for a server that never goes to the machine. */
const withoutLogin: ReadonlySet<OperationKind> = new Set(['server.follow-address']);

/**
 * Runs the operations of this process, one at a time per lane, and marks the operations of vanished processes
 * interrupted.
 */
export async function createOperationEngine(deps: EngineDeps): Promise<OperationEngine> {
  const { db, listener } = deps.store;
  const { most, connections, log, sole } = deps;
  const replicaId = randomUUID();
  const definitionOf = (kind: string): AnyOperationDefinition => {
    const definition = deps.definitions.find((each) => each.kind === kind);
    if (!definition) throw new Error(`No definition of the operation ${kind}.`);
    return definition;
  };
  const runner = await createLaneRunner({ db, listener, connections, log, sole, replicaId, definitionOf });

  const forgetting = new Set<Promise<void>>();
  const forgetSoon = (owner: Owner) => {
    const done: Promise<void> = forgetOldest(db, owner)
      .catch((error: unknown) => log.error({ err: error }, 'the oldest operations could not be removed'))
      .finally(() => forgetting.delete(done));
    forgetting.add(done);
  };
  const found = async (owner: Owner, id: string): Promise<Operation> => {
    const operation = await findOperation(db, owner, id);
    if (!operation) throw notFound('operation');
    return operation;
  };
  const tell = async (owner: Owner, id: string): Promise<Operation> => {
    const operation = await found(owner, id);
    await notifyChange(db, owner, 'operations', id);
    return operation;
  };

  /** Work on a server that the console cannot log in to would wait forever. */
  const refuseOnClosed = async (owner: Owner, kind: OperationKind, serverId: string | null | undefined) => {
    if (serverId && !withoutLogin.has(kind)) refuseClosed(await findServer({ owner, db }, serverId));
  };

  const cancel = async (owner: Owner, id: string): Promise<Operation> => {
    if (!(await runner.cancel(id))) {
      const lanes = await cancelQueued(db, owner, id);
      // It may have held up work that came later, in a lane that is free.
      for (const lane of lanes) await runner.beginNext(lane);
      if (lanes.length === 0) await cancelElsewhere(db, owner, id);
    }
    return tell(owner, id);
  };

  return {
    async start(request) {
      const bound = definitionOf(request.kind).parse(request.input);
      await refuseOnClosed(request.owner, request.kind, request.serverId);
      const id = await addOperation(db, request, bound, { replicaId, most });
      await runner.beginNext(request.lane);
      forgetSoon(request.owner);
      return tell(request.owner, id);
    },

    async cancel(owner, id) {
      const operation = await found(owner, id);
      if (isOver(operation.state))
        throw new ProblemError('conflict', 'This work is over; there is nothing to cancel.');
      return cancel(owner, id);
    },

    async cancelWaiting(owner, kind, serverId) {
      const rows = await db
        .selectFrom('operations')
        .select('id')
        .where('owner_id', '=', owner)
        .where('server_id', '=', serverId)
        .where('kind', '=', kind)
        .where('state', 'in', ['queued', 'waiting'])
        // The last one first: otherwise the end of one would begin the next.
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute();
      for (const { id } of rows)
        await cancel(owner, id).catch((error: unknown) => {
          // It was forgotten in between, and does not run.
          if (!(error instanceof ProblemError && error.code === 'not_found')) throw error;
        });
    },

    async retry(owner, sessionId, id) {
      const operation = await found(owner, id);
      await refuseOnClosed(owner, operation.kind, operation.serverId);
      const lane = await queueAgain(db, operation, { owner, sessionId, replicaId, most });
      await runner.beginNext(lane);
      return tell(owner, id);
    },

    async continueOver(owner, sessionId, id) {
      await found(owner, id);
      await takeOver(db, { owner, sessionId, id });
      return tell(owner, id);
    },

    async close() {
      await runner.close();
      await Promise.all(forgetting);
    },
  };
}
