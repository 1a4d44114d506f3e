import { proposalLimits } from '@homeport/contract/proposals/facts';
import type { ProposedCall } from '@homeport/contract/proposals/schema';
import type { SessionIdentity } from '@homeport/contract/services';
import { type OwnerWrite, ownerFromSession } from '@homeport/store';
import { sql } from 'kysely';
import { ProblemError } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { holdAccount } from '../records/account-lock.ts';
import { type Calling, type ProposalDeps, planCall } from './plan-call.ts';
import { stateNow, storeNow } from './proposal-record.ts';

const dayMs = 24 * 60 * 60_000;
/** With less time left, the same call is a new proposal: its person may be away for a while. */
const longEnoughMs = proposalLimits.lifeMs / 2;

/**
 * Keeps a call for the person, and runs nothing. The same call that the token proposed already, of an app that has not changed, is that
 * proposal: a program that repeats itself asks its person once. Returns the proposal's id.
 *
 * @throws ProblemError as the route would refuse the call, and beyond the shares
 */
export async function propose(
  deps: ProposalDeps,
  calling: Calling,
  { call, why }: { call: ProposedCall; why: string },
): Promise<string> {
  const { session } = calling;
  const program = programOf(session);
  const plan = await planCall(deps, calling, call);
  return deps.store.transact(ownerFromSession(session.userId), async (scope) => {
    await holdAccount(scope);
    // One at a time, so that those who propose at once are counted, too.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`homeport proposals ${scope.owner}`}, 0))`.execute(
      scope.db,
    );
    const token = await holdToken(scope, session.sessionId);
    const known = await findSame(scope, session.sessionId, call);
    const same = known.find(({ fingerprint }) => fingerprint === plan.fingerprint);
    if (same && same.expires_at - token.now > longEnoughMs) return same.id;
    await takeBack(scope, known);
    await refuseMore(scope, session.sessionId);
    const { id } = await scope.db
      .insertInto('proposals')
      .values({
        owner_id: scope.owner,
        program_id: session.sessionId,
        ...{ program_kind: program.kind, program_name: program.name, last_four: program.lastFour },
        program_since: token.created_at,
        route: call.route,
        params: JSON.stringify(call.params),
        body: 'body' in call ? JSON.stringify(call.body) : null,
        ...{ title: plan.title, app_name: plan.appName, server_name: plan.serverName },
        ...{ why, fingerprint: plan.fingerprint },
        created_at: token.now,
        expires_at: token.now + proposalLimits.lifeMs,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await notifyChange(scope.db, scope.owner, 'proposals', id);
    return id;
  });
}

/** @throws ProblemError for a person, who has nobody to ask */
export function programOf({ kind, token }: SessionIdentity) {
  if (!kind || !token)
    throw new ProblemError('not_allowed', 'A program proposes with its API token. Nothing was changed.', {
      recovery: 'Do it yourself on the page of the app.',
    });
  return { kind, ...token };
}

/** The token, which cannot be revoked before this transaction ends. */
async function holdToken(
  { db, owner }: OwnerWrite,
  id: string,
): Promise<{ created_at: number; now: number }> {
  const token = await db
    .selectFrom('api_tokens')
    .select(['created_at', storeNow.as('now')])
    .where('owner_id', '=', owner)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst();
  if (!token) throw new ProblemError('not_signed_in', 'This API token was revoked. Nothing was proposed.');
  return token;
}

type Known = { id: string; fingerprint: string; expires_at: number };

/** The open proposals of the token for the same call. One with another fingerprint is about an app that has changed since. */
function findSame({ db, owner }: OwnerWrite, token: string, call: ProposedCall): Promise<Known[]> {
  const body = 'body' in call ? JSON.stringify(call.body) : null;
  return db
    .selectFrom('proposals')
    .select(['id', 'fingerprint', 'expires_at'])
    .where('owner_id', '=', owner)
    .where('program_id', '=', token)
    .where('state', '=', 'open')
    .where('expires_at', '>', storeNow)
    .where('route', '=', call.route)
    .where(sql<boolean>`params = ${JSON.stringify(call.params)}::jsonb`)
    .where(sql<boolean>`body is not distinct from ${body}::jsonb`)
    .execute();
}

/** The new proposal stands in their place. One about which somebody decides at this moment is theirs. */
async function takeBack({ db, owner }: OwnerWrite, known: readonly Known[]): Promise<void> {
  for (const { id } of known) {
    await db
      .updateTable('proposals')
      .set({ state: 'withdrawn', ended_at: storeNow })
      .where('owner_id', '=', owner)
      .where('id', '=', id)
      .where('state', '=', 'open')
      .execute();
    await notifyChange(db, owner, 'proposals', id);
  }
}

async function refuseMore({ db, owner }: OwnerWrite, token: string): Promise<void> {
  const isOpen = sql`${stateNow} = 'open'`;
  const { ofToken, ofAccount, today } = await db
    .selectFrom('proposals as p')
    .leftJoin('api_tokens as t', 't.id', 'p.program_id')
    .select([
      sql<number>`count(*) filter (where ${isOpen} and t.id = ${token})`.as('ofToken'),
      sql<number>`count(*) filter (where ${isOpen})`.as('ofAccount'),
      sql<number>`count(*) filter (where p.created_at > ${storeNow} - ${dayMs}::bigint)`.as('today'),
    ])
    .where('p.owner_id', '=', owner)
    .executeTakeFirstOrThrow();
  const { openOfToken, openOfAccount, perDay } = proposalLimits;
  if (ofToken >= openOfToken) throw tooMany(`${openOfToken} proposals of this API token are open`);
  if (ofAccount >= openOfAccount) throw tooMany(`${openOfAccount} proposals of your API tokens are open`);
  if (today >= perDay)
    throw new ProblemError(
      'limit_reached',
      `Your API tokens proposed ${perDay} calls within 24 hours, which is the most for one account. Nothing was proposed.`,
      { recovery: 'Do it yourself on the page of the app, or propose it later.' },
    );
}

const tooMany = (what: string) =>
  new ProblemError('limit_reached', `${what}, which is the most at once. Nothing was proposed.`, {
    recovery: 'Wait until the person has decided, or take one back.',
  });
