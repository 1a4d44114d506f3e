import { destinationKinds } from '@homeport/contract/destinations/facts';
import { type Destination, destinationSchema } from '@homeport/contract/destinations/schema';
import type { Database, OwnerRead, OwnerWrite } from '@homeport/store';
import { type Selectable, sql } from 'kysely';
import { notFound } from '../http/problem.ts';

type Row = Omit<Selectable<Database['notice_destinations']>, 'sealed' | 'owner_id' | 'broken_at'> & {
  latest: { state: string; at: number; answer: string | null } | null;
  email: string;
  verified: boolean;
};

/**
 * The columns of a page, with the delivery that ended last. The sealed target is not among them. A destination of a kind that a newer
 * console added is left out: its messages wait for that console.
 */
const selectRows = ({ owner, db }: OwnerRead) =>
  db
    .selectFrom('notice_destinations as d')
    .innerJoin('auth.user as u', 'u.id', 'd.owner_id')
    .select([
      ...(['d.id', 'd.kind', 'd.name', 'd.shown', 'd.state', 'd.problem', 'd.version'] as const),
      ...([
        'd.created_at',
        'd.previous_until',
        'd.quiet_hours',
        'd.per_hour',
        'd.after_minutes',
        'd.repeat_hours',
        'd.device',
        'u.email',
        'u.emailVerified as verified',
      ] as const),
    ])
    .select(
      sql<Row['latest']>`(select json_build_object('state', m.state, 'at', m.ended_at, 'answer', m.answer)
        from notice_messages m where m.destination_id = d.id and m.ended_at is not null
        order by m.ended_at desc, m.number desc limit 1)`.as('latest'),
    )
    .where('d.owner_id', '=', owner)
    .where('d.kind', 'in', destinationKinds);

/** The owner's destinations, the address of the account first, then in the order in which they were added. */
export async function listDestinations(scope: OwnerRead, mailConfigured: boolean): Promise<Destination[]> {
  const rows = await selectRows(scope)
    .orderBy(sql`d.kind <> 'email'`)
    .orderBy('d.created_at')
    .orderBy('d.id')
    .execute();
  return rows.map((row) => toDestination(row, mailConfigured));
}

/** Throws `not_found` for a destination that does not exist or is somebody else’s. */
export async function readDestination(
  scope: OwnerRead,
  id: string,
  mailConfigured: boolean,
): Promise<Destination> {
  const row = await selectRows(scope).where('d.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('destination');
  return toDestination(row, mailConfigured);
}

/** For what is asked before the row is held. Throws as `readDestination`. */
export async function refuseOthers({ owner, db }: OwnerRead, id: string): Promise<void> {
  const row = await db
    .selectFrom('notice_destinations')
    .select('id')
    .where('owner_id', '=', owner)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound('destination');
}

/** Holds the row, sealed target included, until the transaction ends. Throws as `readDestination`. */
export async function holdDestination({ owner, db }: OwnerWrite, id: string) {
  const row = await db
    .selectFrom('notice_destinations')
    .selectAll()
    .where('owner_id', '=', owner)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('destination');
  return row;
}

function toDestination(row: Row, mailConfigured: boolean): Destination {
  const isEmail = row.kind === 'email';
  return destinationSchema.parse({
    ...{ id: row.id, kind: row.kind, state: row.state, version: row.version },
    name: isEmail ? 'E-mail' : row.name,
    shown: isEmail ? row.email : row.shown,
    problem: isEmail ? problemOfEmail(row, mailConfigured) : row.problem,
    createdAt: row.created_at,
    previousUntil: row.previous_until,
    quietHours: row.quiet_hours,
    perHour: row.per_hour,
    afterMinutes: row.after_minutes,
    repeatHours: row.repeat_hours,
    device: row.device,
    latest: row.latest && {
      sent: row.latest.state === 'sent',
      at: row.latest.at,
      answer: row.latest.answer ?? '',
    },
  });
}

function problemOfEmail({ verified }: Row, mailConfigured: boolean): string | null {
  if (!mailConfigured) return 'This console has no mail server.';
  return verified ? null : 'The address is not verified.';
}
