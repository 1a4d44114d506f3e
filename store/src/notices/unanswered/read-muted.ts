import type { NewsPage } from '@homeport/contract/notifications/news-page';
import { sql } from 'kysely';
import type { OwnerRead } from '../../owner.ts';

type Muted = Pick<NewsPage['muted'][number], 'of' | 'id' | 'until'> & {
  name: string | null;
  /** Of an incident: its newest news. */
  facts: unknown;
};

/** What the owner has muted at this moment, in epoch milliseconds: what ends first is the first. */
export async function readMuted({ owner, db }: OwnerRead, now: number): Promise<Muted[]> {
  const { rows } = await sql<Muted>`
    select case when m.thread_id is not null then 'incident' when m.app_id is not null then 'app' else 'server' end as of,
      coalesce(m.thread_id, m.app_id, m.server_id) as id, m.ends_at as until, coalesce(a.name, s.name) as name,
      (select n.facts from notices n where n.thread_id = m.thread_id order by n.number limit 1) as facts
    from notice_timed_mutes m left join apps a on a.id = m.app_id left join servers s on s.id = m.server_id
    where m.owner_id = ${owner} and m.ends_at > ${now}
    order by m.ends_at, m.id`.execute(db);
  return rows;
}
