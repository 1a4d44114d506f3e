import { destinationLimits } from '@homeport/contract/destinations/facts';
import { type DestinationDelivery, destinationDeliverySchema } from '@homeport/contract/destinations/schema';
import { noticeEventSchema } from '@homeport/contract/notifications/events';
import type { OwnerRead } from '@homeport/store';
import { sql } from 'kysely';
import { notFound } from '../http/problem.ts';
import { describeNews } from '../notifications/describe-news.ts';

const selectRows = ({ owner, db }: OwnerRead, destination: string) =>
  db
    .selectFrom('notice_messages as m')
    .select([
      ...(['m.id', 'm.state', 'm.test', 'm.created_at', 'm.attempts', 'm.due_at'] as const),
      ...(['m.ended_at', 'm.answer'] as const),
    ])
    .select([
      sql<unknown>`(select n.facts from notices n where n.id in (
        select notice_id from notice_deliveries where message_id = m.id union all select unnest(m.repeats))
        order by n.number limit 1)`.as('facts'),
      sql<number>`(select count(*) from notice_deliveries d where d.message_id = m.id)
        + coalesce(cardinality(m.repeats), 0)`.as('pieces'),
      sql<boolean>`m.repeats is not null`.as('repeat'),
    ])
    .where('m.owner_id', '=', owner)
    .where('m.destination_id', '=', destination);

type Row = Awaited<ReturnType<ReturnType<typeof selectRows>['executeTakeFirstOrThrow']>>;

/** The newest messages to one of the owner's destinations, the newest first. */
export async function readDeliveries(scope: OwnerRead, destination: string): Promise<DestinationDelivery[]> {
  const rows = await selectRows(scope, destination)
    .orderBy('m.number', 'desc')
    .limit(destinationLimits.shown)
    .execute();
  return rows.map(toDelivery);
}

/** Throws `not_found` for a message that is not to this destination of the owner. */
export async function readDelivery(
  scope: OwnerRead,
  destination: string,
  id: string,
): Promise<DestinationDelivery> {
  const row = await selectRows(scope, destination).where('m.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('delivery');
  return toDelivery(row);
}

function toDelivery({ facts, pieces, repeat, ...row }: Row): DestinationDelivery {
  const event = noticeEventSchema.safeParse(facts);
  return destinationDeliverySchema.parse({
    ...{ id: row.id, state: row.state, test: row.test, attempts: row.attempts, answer: row.answer },
    createdAt: row.created_at,
    dueAt: row.state === 'waiting' ? row.due_at : null,
    endedAt: row.ended_at,
    text: event.success ? `${repeat ? 'Repeated: ' : ''}${describeNews(event.data).text}` : null,
    more: Math.max(0, pieces - 1),
  });
}
