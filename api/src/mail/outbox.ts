import type { MailMessage } from '@homeport/contract/identity/schema';
import type { Store } from '@homeport/store';
import type { Message } from './message.ts';

/** Older messages are dropped, because their links have long expired. */
const mostMessages = 200;

export async function keepInOutbox(store: Store, { to, subject, text }: Message, now: number): Promise<void> {
  await store.db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('outbox_messages')
      .values({ recipient: to, subject, body: text, created_at: now })
      .execute();
    await transaction
      .deleteFrom('outbox_messages')
      .where('id', 'in', (newest) =>
        newest
          .selectFrom('outbox_messages')
          .select('id')
          .orderBy('created_at', 'desc')
          .orderBy('id')
          .offset(mostMessages),
      )
      .execute();
  });
}

/** Newest first. */
export async function listOutbox(store: Store): Promise<MailMessage[]> {
  const rows = await store.db
    .selectFrom('outbox_messages')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    to: row.recipient,
    subject: row.subject,
    text: row.body,
    at: row.created_at,
  }));
}
