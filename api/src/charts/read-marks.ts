import { chartMarksAtMost } from '@homeport/contract/charts/facts';
import { type ChartMark, type ChartMarks, chartMarkSchema } from '@homeport/contract/charts/schema';
import type { OwnerRead } from '@homeport/store';
import { sql } from 'kysely';

export type MarkedRecord = { serverId: string } | { appId: string } | { databaseId: string };

/** The owner's work on the record that was asked for in the range, and incidents of its app or apps that began in it or reach into it. */
export async function readMarks(
  { owner, db }: OwnerRead,
  record: MarkedRecord,
  { from, to }: { from: number; to: number },
): Promise<ChartMarks> {
  const [work, app] = conditionsOf(record);
  const { rows } = await sql<{ mark: unknown; all: number }>`
    select mark, count(*) over ()::integer as all from (
      select coalesce(o.started_at, o.created_at) as at, json_build_object('kind', 'work', 'id', o.id, 'work', o.kind,
        'title', o.title, 'state', o.state, 'at', coalesce(o.started_at, o.created_at), 'endedAt', o.ended_at) as mark
      from operations o
      where o.owner_id = ${owner} and ${work} and o.created_at < ${to} and o.created_at >= ${from}
      union all
      select i.started_at as at, json_build_object('kind', 'incident', 'id', i.id, 'appId', a.id, 'app', a.name,
        'text', i.reason, 'at', i.started_at, 'endedAt', i.ended_at) as mark
      from incidents i join checks c on c.id = i.check_id join apps a on a.id = c.app_id
      where a.owner_id = ${owner} and ${app} and i.started_at < ${to} and coalesce(i.ended_at, ${to}) >= ${from}
    ) found order by at desc limit ${chartMarksAtMost}`.execute(db);
  return {
    marks: rows.map(({ mark }): ChartMark => chartMarkSchema.parse(mark)).reverse(),
    more: (rows[0]?.all ?? 0) - rows.length,
  };
}

/** Which work and which apps' incidents belong to the record. Nothing checks a database from outside, so it has no incidents. */
function conditionsOf(record: MarkedRecord) {
  if ('serverId' in record)
    return [sql`o.server_id = ${record.serverId}`, sql`a.server_id = ${record.serverId}`] as const;
  if ('appId' in record) return [sql`o.app_id = ${record.appId}`, sql`a.id = ${record.appId}`] as const;
  return [sql`o.database_id = ${record.databaseId}`, sql`false`] as const;
}
