import { keptBackups } from '@homeport/contract/console/facts';
import type { BackupPlan } from '@homeport/contract/console/schema';
import type { SessionIdentity } from '@homeport/contract/services';
import type { Database } from '@homeport/store';
import type { Kysely } from 'kysely';
import { wrongField } from '../../http/problem.ts';
import { notifyChange } from '../../live/notify-change.ts';
import { noteSecurityEvent } from '../../security-events/note-event.ts';
import type { BackupFolder } from './backup-folder.ts';
import type { BackupDeps } from './deps.ts';

const dayMs = 24 * 60 * 60_000;

/** How backups are made. Until somebody says otherwise, they are encrypted for the operator's key. */
export async function readPlan(
  db: Kysely<Database>,
  { usualRecipient }: Pick<BackupFolder, 'usualRecipient'>,
): Promise<BackupPlan> {
  const row = await db.selectFrom('console_backup_plan').selectAll().executeTakeFirst();
  return {
    recipient: row?.recipient ?? usualRecipient,
    dailyAt: row?.daily_at ?? null,
    keep: row?.keep ?? keptBackups.usual,
    dueAt: row?.due_at ?? null,
  };
}

/** Sets all of the plan. A new recipient is told as what opens the account is: from then on, backups open for somebody else. */
export async function setPlan(
  { store, folder, clock }: BackupDeps,
  { userId, sessionId }: SessionIdentity,
  { recipient, dailyAt, keep }: Pick<BackupPlan, 'recipient' | 'dailyAt' | 'keep'>,
): Promise<BackupPlan> {
  if (dailyAt !== null && recipient === null)
    throw wrongField('recipient', 'A schedule needs a key: it makes no backup that anybody could read.');
  const now = clock();
  await store.db.transaction().execute(async (db) => {
    const before = await readPlan(db, folder);
    const values = {
      ...{ recipient, keep, daily_at: dailyAt },
      due_at: dailyAt === null ? null : nextRun(dailyAt, now),
      daily_since: dailyAt === null ? null : now,
    };
    await db
      .insertInto('console_backup_plan')
      .values(values)
      .onConflict((conflict) =>
        conflict.column('one').doUpdateSet({
          ...values,
          ...(dailyAt !== null &&
            before.dailyAt !== null && { daily_since: (eb) => eb.ref('console_backup_plan.daily_since') }),
        }),
      )
      .execute();
    if (before.recipient !== recipient)
      await noteSecurityEvent(db, {
        ...{ owner: userId, from: { sessionId }, at: now, kind: 'console_backups_changed' },
        subject: recipient === null ? 'no key' : `${recipient.slice(0, 16)}…`,
      });
    await notifyChange(db, userId, 'console', null);
  });
  return readPlan(store.db, folder);
}

/** The next moment that is so many minutes after a midnight UTC. */
export function nextRun(dailyAt: number, now: number): number {
  const today = now - (now % dayMs) + dailyAt * 60_000;
  return today > now ? today : today + dayMs;
}
