import type pg from 'pg';
import { checkUrl } from '../uptime/check-url.ts';
import { endThreads, type News, raiseNotices } from './raise-notices.ts';

type Subject = {
  ownerId: string;
  serverId: string;
  appId: string;
  appName: string;
  longname: string;
  serverName: string;
  serverKey: string;
};
type Begun = Subject & {
  incident: string;
  since: number;
  reason: string;
  appUrl: string | null;
  https: boolean;
  domain: string;
  path: string;
};
type Over = Subject & {
  thread: string;
  incidentKey: string;
  since: number;
  /** Null where the check is gone, and the incident with it. */
  until: number | null;
  /** A check found the app up; otherwise the check was paused or removed. */
  cameUp: boolean;
};

const subject = `a.owner_id as "ownerId", a.server_id as "serverId", a.id as "appId", a.name as "appName", a.longname,
  s.name as "serverName", s.key as "serverKey"`;

/** Raises news of apps that checks found down, and of those that are up again. The checks have their own hysteresis. */
export async function raiseOutages(pool: pg.Pool, now: number): Promise<void> {
  const begun = await pool.query<Begun>(
    `select ${subject}, i.id as incident, i.started_at as since, i.reason, a.url as "appUrl", a.https, c.domain, c.path
     from incidents i join checks c on c.id = i.check_id join apps a on a.id = c.app_id join servers s on s.id = a.server_id
     where not i.noticed order by i.started_at limit 500`,
  );
  await raiseNotices(pool, begun.rows.map(toDown), now);
  await pool.query('update incidents set noticed = true where id = any($1::uuid[])', [
    begun.rows.map(({ incident }) => incident),
  ]);

  const over = await pool.query<Over>(
    `select ${subject}, t.id as thread, t.incident as "incidentKey", t.started_at as since, i.ended_at as until,
       c.confirmed is not null and c.confirmed_at >= i.ended_at as "cameUp"
     from notice_threads t join apps a on a.id = t.app_id join servers s on s.id = a.server_id
     left join incidents i on i.id = split_part(t.incident, ' ', 2)::uuid left join checks c on c.id = i.check_id
     where t.kind = 'app.down' and t.ended_at is null and (i.id is null or i.ended_at is not null)`,
  );
  await raiseNotices(pool, over.rows.filter(({ cameUp }) => cameUp).map(toUp), now);
  for (const { thread, until } of over.rows) await endThreads(pool, [thread], until ?? now);
}

function toDown({ incident, since, reason, appUrl, https, domain, path, ...subject }: Begun): News {
  const { ownerId, serverId, appId, ...names } = subject;
  const url = checkUrl(appUrl, https, domain, path);
  return {
    ...{ ownerId, serverId, appId, kind: 'app.down', startedAt: since, mark: 0 },
    incident: `app.down ${incident}`,
    facts: { event: 'app.went-down', ...names, since, url, reason },
  };
}

function toUp({ ownerId, serverId, appId, incidentKey, since, until, ...row }: Over): News {
  const { appName, longname, serverName, serverKey } = row;
  return {
    ...{ ownerId, serverId, appId, kind: 'app.down', incident: incidentKey, startedAt: since, mark: 0 },
    facts: {
      event: 'app.came-up',
      ...{ appName, longname, serverName, serverKey, since },
      until: until ?? since,
    },
  };
}
