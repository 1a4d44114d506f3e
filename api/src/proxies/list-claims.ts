import type { DomainClaim } from '@homeport/contract/proxies/schema';
import type { Database } from '@homeport/store';
import { type Kysely, sql } from 'kysely';

/** The page shows no more. The oldest come first, because they wait the longest. */
const shown = 200;
/** An account with many domains hides no other account's. */
const shownOfAccount = 20;

const pointingOf = { yes: true, partly: false, no: false, unknown: null } as const;

const claims = (db: Kysely<Database>) =>
  db
    .selectFrom('proxies as p')
    .innerJoin('auth.user as u', 'u.id', 'p.owner_id')
    .select(['p.id', 'p.domain', 'u.email', 'p.created_at', 'p.pointing', 'p.granted_at']);

type Row = Awaited<ReturnType<ReturnType<typeof claims>['execute']>>[number];

const toClaim = ({ created_at, pointing, granted_at, ...row }: Row): DomainClaim => ({
  ...row,
  createdAt: created_at,
  pointing: pointingOf[pointing],
  vouchedAt: granted_at,
});

/** The proxies of all accounts that only the owner's word can prove, or does. For the owner of the console alone. */
export async function listClaims(db: Kysely<Database>): Promise<DomainClaim[]> {
  const numbered = claims(db)
    .select(
      sql<number>`row_number() over (partition by p.owner_id, p.granted_at is null order by p.created_at, p.id)`.as(
        'nth',
      ),
    )
    .where((eb) => eb.or([eb('p.owned', 'in', ['unknown', 'missing']), eb('p.granted_at', 'is not', null)]));
  const rows = await db
    .selectFrom(numbered.as('claims'))
    .select(['id', 'domain', 'email', 'created_at', 'pointing', 'granted_at'])
    .where((eb) => eb.or([eb('nth', '<=', shownOfAccount), eb('granted_at', 'is not', null)]))
    .orderBy('created_at')
    .orderBy('id')
    .limit(shown)
    .execute();
  return rows.map(toClaim);
}

/** As `listClaims`, one of them. */
export async function readClaim(db: Kysely<Database>, id: string): Promise<DomainClaim> {
  return toClaim(await claims(db).where('p.id', '=', id).executeTakeFirstOrThrow());
}
