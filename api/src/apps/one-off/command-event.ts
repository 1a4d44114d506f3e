import { commandEventsKept, eventSubjectCharacters } from '@homeport/contract/account/facts';
import type { Database, Owner } from '@homeport/store';
import type { Kysely } from 'kysely';
import { notifyChange } from '../../live/notify-change.ts';
import { noteSecurityEvent } from '../../security-events/note-event.ts';

export type CommandEvent = { id: string; owner: Owner; where: string };

/**
 * Notes that a command begins, before the server gets it: whose sign-in began it, in which app, on which server. No word of the
 * command is noted. A console that is killed leaves the event without an end.
 */
export async function beginCommandEvent(
  db: Kysely<Database>,
  { owner, operationId, where }: { owner: Owner; operationId: string; where: string },
): Promise<CommandEvent> {
  return db.transaction().execute(async (transaction) => {
    const { session_id: sessionId } = await transaction
      .selectFrom('operations')
      .select('session_id')
      .where('owner_id', '=', owner)
      .where('id', '=', operationId)
      .executeTakeFirstOrThrow();
    const id = await noteSecurityEvent(transaction, {
      ...{ owner, kind: 'command_run', subject: where, from: { sessionId }, at: Date.now() },
    });
    if (id === null) throw new Error('An event of a command is always a new one.');
    await removeOldest(transaction, owner);
    return { id, owner, where };
  });
}

/** Adds how long the command took and how it ended. An event that newer ones have pushed out stays away. */
export async function endCommandEvent(
  db: Kysely<Database>,
  { id, owner, where }: CommandEvent,
  end: string,
): Promise<void> {
  await db
    .updateTable('security_events')
    .set({ subject: `${where}: ${end}`.slice(0, eventSubjectCharacters) })
    .where('owner_id', '=', owner)
    .where('id', '=', id)
    .execute();
  await notifyChange(db, owner, 'security-events', null);
}

async function removeOldest(db: Kysely<Database>, owner: Owner): Promise<void> {
  await db
    .deleteFrom('security_events')
    .where('owner_id', '=', owner)
    .where('kind', '=', 'command_run')
    .where('number', '<=', (eb) =>
      eb
        .selectFrom('security_events')
        .select('number')
        .where('owner_id', '=', owner)
        .where('kind', '=', 'command_run')
        .orderBy('number', 'desc')
        .offset(commandEventsKept)
        .limit(1),
    )
    .execute();
}
