import type pg from 'pg';
import { raiseNotices } from './raise-notices.ts';

type Row = { id: string; ownerId: string; name: string; problem: string; at: number };

/** Raises news of destinations that take nothing any more. It goes to the other ones of the same person, of which the e-mail is one. */
export async function raiseBrokenDestinations(pool: pg.Pool, now: number): Promise<void> {
  const { rows } = await pool.query<Row>(
    `select d.id, d.owner_id as "ownerId", d.name, coalesce(d.problem, '') as problem, d.broken_at as at
     from notice_destinations d
     where d.state = 'broken' and d.broken_at is not null
       and not exists (select from notice_threads t where t.incident = 'destination ' || d.id || ' ' || d.broken_at)`,
  );
  const news = rows.map(({ id, ownerId, ...facts }) => ({
    ...{ ownerId, serverId: null, appId: null, kind: 'destination' as const, startedAt: facts.at, mark: 0 },
    incident: `destination ${id} ${facts.at}`,
    facts: { event: 'destination.broken' as const, ...facts },
  }));
  await raiseNotices(pool, news, now);
}
