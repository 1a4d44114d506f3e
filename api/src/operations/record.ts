import { listedStates } from '@homeport/contract/operations/facts';
import { operationKinds } from '@homeport/contract/operations/kinds';
import {
  type Operation,
  type OperationLine,
  type OperationStep,
  operationSchema,
  type RanCommand,
  stepSchema,
  toastSchema,
} from '@homeport/contract/operations/schema';
import { problemSchema } from '@homeport/contract/problems/schema';
import type { Database, Owner } from '@homeport/store';
import { type Kysely, type Selectable, sql } from 'kysely';
import { z } from 'zod';

export type OperationRow = Selectable<Database['operations']>;

const kindSchema = z.enum(operationKinds);

/** A row as the contract shows it. The JSON of the store is checked like any other input. */
export function toOperation(row: OperationRow): Operation {
  return {
    id: row.id,
    kind: kindSchema.parse(row.kind),
    title: row.title,
    state: row.state,
    sessionId: row.session_id,
    waitingFor: operationSchema.shape.waitingFor.parse(row.waiting_for),
    serverId: row.server_id,
    serverKey: row.server_key,
    serverName: row.server_name,
    appId: row.app_id,
    databaseId: row.database_id,
    longname: row.longname,
    percent: row.percent,
    steps: stepsOf(row),
    problem: problemSchema.nullable().parse(row.problem),
    result: z.record(z.string(), z.unknown()).parse(row.result),
    toasts: z.array(toastSchema).parse(row.toasts),
    createdAt: row.created_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  };
}

export const stepsOf = (row: Pick<OperationRow, 'steps'>): OperationStep[] =>
  z.array(stepSchema).parse(row.steps);

/**
 * Finds one operation of an owner. Returns null for an operation that does not exist or is somebody else’s.
 */
export async function findOperation(
  db: Kysely<Database>,
  owner: Owner,
  id: string,
): Promise<Operation | null> {
  const row = await db
    .selectFrom('operations')
    .selectAll()
    .where('owner_id', '=', owner)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? toOperation(row) : null;
}

export async function listOperations(
  db: Kysely<Database>,
  owner: Owner,
  filter: {
    serverId?: string | undefined;
    appId?: string | undefined;
    databaseId?: string | undefined;
    active?: boolean | undefined;
    remains?: boolean | undefined;
  },
): Promise<Operation[]> {
  let query = db.selectFrom('operations').selectAll().where('owner_id', '=', owner);
  if (filter.serverId !== undefined) query = query.where('server_id', '=', filter.serverId);
  if (filter.appId !== undefined) query = query.where('app_id', '=', filter.appId);
  if (filter.databaseId !== undefined) query = query.where('database_id', '=', filter.databaseId);
  if (filter.active) query = query.where('state', 'in', listedStates);
  if (filter.remains)
    query = query
      .where('kind', '=', 'database.create')
      .where('state', 'in', ['failed', 'interrupted', 'cancelled'])
      .where('database_id', 'is', null)
      .where(sql<boolean>`result -> 'remains' = 'true'`);
  const rows = await query.orderBy('created_at', 'desc').orderBy('id').limit(50).execute();
  return rows.map(toOperation);
}

/** The commands that an operation ran, in their order. The caller has checked whose operation it is. */
/** The newest lines of a log, the oldest of them first. */
export async function lastLines(
  db: Kysely<Database>,
  id: string,
  { lines, step }: { lines: number; step?: string | undefined },
): Promise<OperationLine[]> {
  const rows = await db
    .selectFrom('operation_lines')
    .select(['seq', 'at', 'step', 'stream', 'text'])
    .where('operation_id', '=', id)
    .$if(step !== undefined, (query) => query.where('step', '=', step ?? ''))
    .orderBy('seq', 'desc')
    .limit(lines)
    .execute();
  return rows.toReversed();
}

export async function listRanCommands(db: Kysely<Database>, id: string): Promise<RanCommand[]> {
  const rows = await db
    .selectFrom('operation_commands')
    .selectAll()
    .where('operation_id', '=', id)
    .orderBy('seq')
    .execute();
  return rows.map((row) => ({
    step: row.step,
    account: row.account,
    command: row.command,
    exitCode: row.exit_code,
    startedAt: row.started_at,
    durationMs: row.duration_ms,
  }));
}
