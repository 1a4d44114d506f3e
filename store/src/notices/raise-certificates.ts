import { daysToCertificateEnd, notificationRules } from '@homeport/contract/notifications/kinds';
import type pg from 'pg';
import { dayMs } from '../series/metrics.ts';
import { raiseNotices } from './raise-notices.ts';

type Row = {
  ownerId: string;
  serverId: string;
  appId: string;
  appName: string;
  longname: string;
  serverName: string;
  serverKey: string;
  domain: string;
  fingerprint: string;
  validFrom: number;
  validTo: number;
};

/**
 * Raises news of certificates that end soon: at each of the days before the end once. Each certificate, by its fingerprint,
 * is one incident, so that a server which shows two in turn is no flood, and a renewed one ends the news.
 */
export async function raiseCertificates(pool: pg.Pool, now: number): Promise<void> {
  const longest = Math.max(...notificationRules.certificateDays) * dayMs;
  const { rows } = await pool.query<Row>(
    `select a.owner_id as "ownerId", a.server_id as "serverId", a.id as "appId", a.name as "appName", a.longname,
       s.name as "serverName", s.key as "serverKey", c.domain, shown.*
     from checks c join apps a on a.id = c.app_id join servers s on s.id = a.server_id,
       json_to_record(c.latest::json -> 'certificate') as shown (fingerprint text, "validFrom" bigint, "validTo" bigint)
     where c.due_at is not null and c.latest is not null and json_typeof(c.latest::json -> 'certificate') = 'object'
       and shown."validTo" > $1 and shown."validTo" <= $2`,
    [now, now + longest],
  );
  const news = rows.flatMap(({ ownerId, serverId, appId, fingerprint, validFrom, validTo, ...names }) => {
    const days = daysToCertificateEnd({ validFrom, validTo }, now);
    if (days === null) return [];
    return [
      {
        ...{ ownerId, serverId, appId, kind: 'app.certificate' as const, startedAt: now, mark: days },
        incident: `app.certificate ${appId} ${fingerprint}`,
        facts: { event: 'certificate.ends' as const, ...names, days, validTo },
      },
    ];
  });
  await raiseNotices(pool, news, now);
}
