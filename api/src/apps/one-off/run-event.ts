import type { SecurityEventKind } from '@homeport/contract/account/facts';
import type { Database, Owner } from '@homeport/store';
import type { Kysely } from 'kysely';
import { completeEvent } from '../../security-events/complete-event.ts';
import { noteSecurityEvent } from '../../security-events/note-event.ts';

export type RunEvent = { id: string; owner: Owner; where: string };
type RunKind = Extract<SecurityEventKind, 'command_run' | 'task_run'>;

/**
 * Notes that a command or a task begins, before the server gets it: whose sign-in began it, in which app, on which server. No word of
 * it is noted. A console that is killed leaves the event without an end.
 */
export async function beginRunEvent(
  db: Kysely<Database>,
  { owner, operationId, kind, where }: { owner: Owner; operationId: string; kind: RunKind; where: string },
): Promise<RunEvent> {
  return db.transaction().execute(async (transaction) => {
    const { session_id: sessionId } = await transaction
      .selectFrom('operations')
      .select('session_id')
      .where('owner_id', '=', owner)
      .where('id', '=', operationId)
      .executeTakeFirstOrThrow();
    const id = await noteSecurityEvent(transaction, {
      ...{ owner, kind, subject: where, from: { sessionId }, at: Date.now() },
    });
    if (id === null) throw new Error('An event of a run is always a new one.');
    return { id, owner, where };
  });
}

/** Adds how long it took and how it ended. An event that newer ones have pushed out stays away. */
export async function endRunEvent(
  db: Kysely<Database>,
  { id, owner, where }: RunEvent,
  end: string,
): Promise<void> {
  await completeEvent(db, { owner, id, subject: `${where}: ${end}` });
}
