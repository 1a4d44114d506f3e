import { notificationRules } from '@homeport/contract/notifications/kinds';
import type pg from 'pg';

/** Of one check; they are shown twenty at a time. */
const keptIncidents = 200;

/**
 * Removes news that is old, and of each person what exceeds the newest thousand, also where it still waits. Then messages and
 * threads that hold nothing any more, and the oldest incidents of each check.
 */
export async function forgetNotices(pool: pg.Pool, now: number): Promise<void> {
  const oldest = now - notificationRules.keptMs;
  await pool.query(
    `delete from notices where created_at < $1 or id in (
       select id from (select id, row_number() over (partition by owner_id order by number desc) as place from notices) ranked
       where place > $2)`,
    [oldest, notificationRules.keptNotices],
  );
  // The messages of the last hour are counted, whatever they held. Reminders hold nothing of their own, and are shown for a while.
  await pool.query(
    `delete from notice_messages m where coalesce(m.ended_at, m.created_at) < case when m.repeats is null then $1::bigint else $2::bigint end
       and not exists (select from notice_deliveries d where d.message_id = m.id)`,
    [now - notificationRules.hourMs, now - notificationRules.keptRepeatsMs],
  );
  // A thread that is open, and one of a destination that is still broken, remembers that its incident was told of.
  await pool.query(
    `delete from notice_threads t where t.started_at < $1
       and (t.ended_at is not null or t.kind in ('app.certificate', 'app.deploy', 'operation', 'destination', 'server.reboot'))
       and not exists (select from notices n where n.thread_id = t.id)
       and not exists (select from notice_destinations d
         where d.owner_id = t.owner_id and d.state = 'broken' and t.incident = 'destination ' || d.id || ' ' || d.broken_at)`,
    [oldest],
  );
  await pool.query(
    `delete from incidents where ended_at is not null and noticed and id in (
       select id from (select id, row_number() over (partition by check_id order by started_at desc) as place from incidents)
         ranked where place > $1)`,
    [keptIncidents],
  );
}
