import { queuedPerLane } from '@homeport/contract/limits';
import type { Database, Owner } from '@homeport/store';
import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely';
import { limitReached } from '../http/ceiling.ts';
import { ProblemError } from '../http/problem.ts';
import { freePlanProblem } from '../records/free-plan.ts';

/**
 * Others that queue work of this person wait from here until the end of the transaction, in `lane_with_room`, so that a look at what is under
 * way stays true for as long.
 */
export async function holdOperations(db: Kysely<Database>, owner: Owner): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('homeport operations ' || ${owner}::uuid, 0))`.execute(
    db,
  );
}

/**
 * The lane, as a value of the statement that queues an operation. The statement fails if there is no room for
 * the operation.
 */
export const laneWithRoom = (
  owner: Owner,
  lane: string | Expression<string>,
  most: number,
): RawBuilder<string> => sql<string>`lane_with_room(${owner}, ${lane}, ${most}, ${queuedPerLane})`;

/** Turns a lack of room into a Problem for the person. Returns every other error unchanged. */
export function roomProblem(error: unknown, most: number): unknown {
  const constraint = error instanceof Error && 'constraint' in error ? error.constraint : null;
  if (constraint === 'operations_per_lane') {
    return new ProblemError(
      'limit_reached',
      `${queuedPerLane} operations wait here already, which is the most for one app or server. This one was not added; the others go on.`,
      { recovery: 'Wait until some of them are over, or cancel those that you no longer need.' },
    );
  }
  if (constraint !== 'operations_per_person') return freePlanProblem(error);
  return limitReached(
    'operations that are queued, run or wait',
    most,
    'Wait until some of them are over, or cancel those that you no longer need.',
  );
}
