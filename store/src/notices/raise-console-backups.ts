import { backupOldAfterMs } from '@homeport/contract/console/facts';
import { notificationRules } from '@homeport/contract/notifications/kinds';
import type pg from 'pg';
import { endThreads, raiseNotices } from './raise-notices.ts';

/** A console that was off made no backup and no copy meanwhile, and makes the missing one soon. */
const looksForMs = 60 * 60_000;

type Judged = {
  ownerId: string;
  /** When the backup that failed was begun; null where the last one that a schedule made did not fail. */
  failedAt: number | null;
  /** When the newest backup was begun; null without one. */
  doneAt: number | null;
  /** When the newest backup was begun that a test restore found broken, and none since then was proven. */
  unprovenAt: number | null;
  /**
   * When the newest backup was begun whose copy did not come about, and none since then was copied. One failed try is no news: the next one comes
   * soon. While a later try runs, the copy still is not there.
   */
  uncopiedAt: number | null;
  /** The incident was raised for a copy. When that backup, or a later one, was begun that is copied by now. */
  copiedAt: number | null;
  /** From then on, a day without a backup counts. Null where none is made each day. */
  dailySince: number | null;
  thread: string | null;
  incident: string | null;
  since: number | null;
};

/**
 * Tells the console's owner that its own daily backup failed, is late, could not be restored in a test or was not copied, and that backups are in order
 * again. One thread lasts from the first failure until a good backup is made. A console that was restored says nothing until its owner has confirmed it: it makes none.
 *
 * @param since when looks began to follow each other without a gap
 */
export async function raiseConsoleBackups(
  pool: pg.Pool,
  { now, since: looksSince }: { now: number; since: number },
): Promise<void> {
  const hasLooked = now - looksSince >= looksForMs;
  const { rows } = await pool.query<Judged>(
    `select u.id as "ownerId", t.id as thread, t.incident, t.started_at as since, p.daily_since as "dailySince",
       (select max(b.started_at) from console_backups b where b.state = 'done') as "doneAt",
       (select max(b.started_at) from console_backups b where b.proof = 'failed' and not exists (
         select from console_backups later where later.proof = 'proven' and later.started_at > b.started_at)) as "unprovenAt",
       (select max(b.started_at) from console_backups b
         where (b.copy_state = 'failed' or b.copy_state = 'copying' and b.copy_tries > 0)
           and (b.copy_due_at is null or b.copy_tries > 1 or b.copy_due_at < $1)
           and not exists (
             select from console_backups later where later.copy_state = 'copied' and later.started_at > b.started_at)) as "uncopiedAt",
       (select max(b.started_at) from console_backups b where b.copy_state = 'copied' and b.started_at >= t.started_at
         and exists (select from notices n where n.thread_id = t.id and n.event = 'console-backup.uncopied')) as "copiedAt",
       (select max(b.started_at) from console_backups b where b.state = 'failed' and b.started_by = 'schedule') as "failedAt"
     from (select id from auth."user" order by "createdAt", id limit 1) u
       left join console_backup_plan p on p.daily_at is not null
       left join notice_threads t on t.kind = 'console.backup' and t.ended_at is null
     where may_act() and num_nonnulls(p.daily_at, t.id) > 0`,
    [hasLooked ? now - looksForMs : 0],
  );
  const [judged] = rows;
  if (!judged) return;
  const { ownerId, thread, incident, since, doneAt, copiedAt } = judged;
  const problem = problemOf(judged, now);
  if (problem?.event === 'console-backup.late' && !hasLooked) return;
  const news = { ownerId, ...{ serverId: null, appId: null }, kind: 'console.backup' as const, mark: 0 };
  if (problem !== null) {
    if (thread !== null) return;
    const begun = { startedAt: problem.at, incident: `console.backup ${problem.at}` };
    return raiseNotices(pool, [{ ...news, ...begun, facts: problem }], now);
  }
  if (thread === null || incident === null || since === null) return;
  const good = copiedAt ?? (doneAt !== null && doneAt > since ? doneAt : null);
  if (good !== null) {
    const facts = { event: 'console-backup.works-again' as const, at: good };
    await raiseNotices(pool, [{ ...news, incident, startedAt: since, facts }], now);
  }
  await endThreads(pool, [thread], now);
}

function problemOf({ failedAt, doneAt, unprovenAt, uncopiedAt, dailySince }: Judged, now: number) {
  if (dailySince === null) return null;
  const failed =
    failedAt !== null && failedAt > Math.max(doneAt ?? 0, dailySince, now - notificationRules.newsMs);
  if (failed) return { event: 'console-backup.failed' as const, at: failedAt };
  const last = Math.max(doneAt ?? 0, dailySince);
  if (now - last > backupOldAfterMs) return { event: 'console-backup.late' as const, at: last };
  const unproven = unprovenAt !== null && unprovenAt >= dailySince;
  if (unproven) return { event: 'console-backup.unproven' as const, at: unprovenAt };
  const uncopied = uncopiedAt !== null && uncopiedAt >= dailySince;
  return uncopied ? { event: 'console-backup.uncopied' as const, at: uncopiedAt } : null;
}
