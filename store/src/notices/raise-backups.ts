import { nextRuns, readCron } from '@homeport/contract/backups/cron';
import { missedAfterMs } from '@homeport/contract/backups/facts';
import { notificationRules } from '@homeport/contract/notifications/kinds';
import type pg from 'pg';
import { endThreads, raiseNotices } from './raise-notices.ts';

/** Schedules that one look judges. The next look takes the others. */
const judgedAtOnce = 100;
/** Clocks of servers are this far off at most. */
const clockSlackMs = 120_000;

type Due = {
  id: string;
  owner: string;
  cron: string;
  zone: string;
  dueAt: number;
  reportedAt: number | null;
  came: boolean;
};

/**
 * Finds the runs that should have come and did not, and raises news of backups that failed or were missed, and of those that work
 * again. A server that does not report is offline, and nobody knows whether it made its backups.
 */
export async function raiseBackups(pool: pg.Pool, now: number): Promise<void> {
  await judgeDue(pool, now);
  await raiseProblems(pool, now);
  await endProblems(pool, now);
}

async function judgeDue(pool: pg.Pool, now: number): Promise<void> {
  const { rows } = await pool.query<Due>(
    `select s.database_id as id, s.owner_id as owner, s.told ->> 'cron' as cron, s.told ->> 'timeZone' as zone, s.due_at as "dueAt",
       r.latest_ts as "reportedAt",
       exists (select from backup_runs b where b.database_id = s.database_id and b.began_at >= s.due_at - $3) as came
     from backup_schedules s join databases d on d.id = s.database_id left join series.server r on r.server_id = d.server_id
     where s.due_at <= $1 order by s.due_at limit $2`,
    [now - missedAfterMs, judgedAtOnce, clockSlackMs],
  );
  for (const { id, owner, cron, zone, dueAt, reportedAt, came } of rows) {
    if (!came && (reportedAt ?? 0) < dueAt + missedAfterMs) continue;
    const read = readCron(cron);
    const next = read.kind === 'read' ? nextRuns(read.cron, zone, now - missedAfterMs, 1)[0] : undefined;
    await pool.query(
      `with judged as (
         update backup_schedules set missed_at = $3, due_at = $4 where database_id = $1 and due_at = $5 returning database_id)
       select pg_notify('changed', json_build_object('owner', $2::uuid, 'topic', 'databases', 'id', database_id)::text) from judged`,
      [id, owner, came ? null : dueAt, next ?? null, dueAt],
    );
  }
}

type Problem = {
  databaseId: string;
  ownerId: string;
  serverId: string;
  databaseName: string;
  longname: string;
  serverName: string;
  serverKey: string;
  kind: 'failed' | 'missed';
  at: number;
};

/** One thread lasts from the first failure until a backup succeeds: a schedule that fails each hour is one incident. */
async function raiseProblems(pool: pg.Pool, now: number): Promise<void> {
  const { rows } = await pool.query<Problem>(
    `select d.id as "databaseId", d.owner_id as "ownerId", d.server_id as "serverId", d.name as "databaseName", d.longname,
       v.name as "serverName", v.key as "serverKey", p.problem ->> 'kind' as kind, (p.problem ->> 'at')::bigint as at
     from backup_schedules s join databases d on d.id = s.database_id join servers v on v.id = d.server_id
       cross join lateral (select backup_problem(d.id) as problem) p
     where s.due_at is not null and p.problem is not null and (p.problem ->> 'at')::bigint > $1
       and not exists (select from notice_threads t where t.kind = 'database.backup' and t.ended_at is null
         and split_part(t.incident, ' ', 2) = d.id::text)`,
    [now - notificationRules.newsMs],
  );
  await raiseNotices(
    pool,
    rows.map(({ ownerId, serverId, kind, at, ...names }) => ({
      ...{ ownerId, serverId, appId: null, kind: 'database.backup' as const, startedAt: at, mark: 0 },
      incident: `database.backup ${names.databaseId} ${at}`,
      facts: {
        event: kind === 'failed' ? ('backup.failed' as const) : ('backup.missed' as const),
        ...names,
        at,
      },
    })),
    now,
  );
}

type Over = Omit<Problem, 'kind' | 'at'> & {
  thread: string;
  incident: string;
  at: number | null;
  since: number;
};

async function endProblems(pool: pg.Pool, now: number): Promise<void> {
  const { rows } = await pool.query<Over>(
    `select t.id as thread, t.incident, t.started_at as since, d.id as "databaseId", t.owner_id as "ownerId", d.server_id as "serverId",
       d.name as "databaseName", d.longname, v.name as "serverName", v.key as "serverKey",
       (select max(b.began_at) from backup_runs b where b.database_id = d.id and b.state = 'succeeded' and b.began_at > t.started_at)
         as at
     from notice_threads t left join databases d on d.id::text = split_part(t.incident, ' ', 2)
       left join servers v on v.id = d.server_id
     where t.kind = 'database.backup' and t.ended_at is null and (d.id is null or backup_problem(d.id) is null)`,
  );
  await raiseNotices(
    pool,
    rows.flatMap(
      ({
        at,
        since,
        incident,
        ownerId,
        serverId,
        databaseId,
        databaseName,
        longname,
        serverName,
        serverKey,
      }) =>
        at === null
          ? []
          : [
              {
                ...{
                  ownerId,
                  serverId,
                  appId: null,
                  kind: 'database.backup' as const,
                  startedAt: since,
                  mark: 0,
                  incident,
                },
                facts: {
                  event: 'backup.works-again' as const,
                  databaseId,
                  databaseName,
                  longname,
                  serverName,
                  serverKey,
                  at,
                },
              },
            ],
    ),
    now,
  );
  await endThreads(
    pool,
    rows.map(({ thread }) => thread),
    now,
  );
}
