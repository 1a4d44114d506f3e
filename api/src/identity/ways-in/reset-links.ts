import { createHash, randomBytes } from 'node:crypto';
import type { Database, Store } from '@homeport/store';
import { type Kysely, sql } from 'kysely';
import { hasSecondStep } from '../second-step/require-second-step.ts';
import { ownerId } from '../sign-up-policy.ts';
import { linkSeconds, pageLink } from './page-link.ts';

/** A link that sets a password without the present one. */
export type ResetLink = {
  account: { id: string; name: string; email: string };
  /** Of its row in `auth.verification`. */
  identifier: string;
  /** A mailed link proves the mailbox. The operator's proves the machine on which the console's data are. */
  from: 'mail' | 'operator';
  endsSecondStep: boolean;
};

/** The link of this token; null for a token that is used up or invented. */
export async function findResetLink({ db }: Pick<Store, 'db'>, token: string): Promise<ResetLink | null> {
  const identifiers = [mailed(token), ofOperator(token, true), ofOperator(token, false)];
  const { rows } = await sql<ResetLink['account'] & { identifier: string }>`
    select "user".id, name, email, identifier
    from auth.verification join auth."user" on "user".id::text = verification.value
    where identifier = any(${identifiers})`.execute(db);
  const [found] = rows;
  if (!found) return null;
  const { identifier, ...account } = found;
  return {
    ...{ account, identifier },
    from: identifier === mailed(token) ? 'mail' : 'operator',
    endsSecondStep: identifier === ofOperator(token, true),
  };
}

export type OperatorLink = { link: string; name: string; email: string; hasSecondStep: boolean };

/**
 * Makes a link by which the owner of the console sets a new password, without mail. It works once and for an hour; an earlier one ends.
 * Returns null while the console has no account.
 */
export async function makeOwnerLink(
  db: Kysely<Database>,
  { publicUrl, endsSecondStep, now }: { publicUrl: string; endsSecondStep: boolean; now: number },
): Promise<OperatorLink | null> {
  const token = randomBytes(32).toString('base64url');
  const owner = await db.transaction().execute(async (change) => {
    const found = await change
      .selectFrom('auth.user')
      .select(['id', 'name', 'email'])
      .where('id', '=', ownerId())
      .executeTakeFirst();
    if (!found) return null;
    await sql`delete from auth.verification where value = ${found.id} and identifier like ${`${ofOperators}%`}`.execute(
      change,
    );
    await sql`insert into auth.verification (identifier, value, "expiresAt") values
      (${ofOperator(token, endsSecondStep)}, ${found.id}, ${new Date(now + linkSeconds * 1_000)})`.execute(
      change,
    );
    return found;
  });
  if (!owner) return null;
  const { id, name, email } = owner;
  return {
    ...{ name, email, link: pageLink(new URL(publicUrl).origin, '/reset-password', token) },
    hasSecondStep: await hasSecondStep({ db }, id),
  };
}

/** The library's name for the link that it mails. */
const mailed = (token: string) => `reset-password:${token}`;

const ofOperators = 'operator-link';
/** The hash alone: who reads a copy of the store gets no link. */
const ofOperator = (token: string, endsSecondStep: boolean) =>
  `${ofOperators}${endsSecondStep ? '-without-second-step' : ''}:${createHash('sha256').update(token).digest('base64url')}`;
