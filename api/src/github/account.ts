import { deployScopes } from '@homeport/contract/github/facts';
import type { Github } from '@homeport/contract/github/schema';
import type { SessionIdentity } from '@homeport/contract/services';
import { type Database, type Owner, ownerFromSession, type Store } from '@homeport/store';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { ProblemError } from '../http/problem.ts';
import { tellChange } from '../live/tell-change.ts';
import { SealBroken, type Sealer } from '../sealing/sealer.ts';
import { type Ask, type AskWhere, askWhereWith, askWith } from './client.ts';
import type { Exchanged } from './consent.ts';
import type { GithubPerson } from './identity.ts';
import { GithubFailure, linkAgain, notLinked, toProblem } from './refusal.ts';
import type { GithubSettings } from './settings.ts';

/** What the parts of GitHub need. `settings` is null on a console without an OAuth app. */
export type GithubDeps = {
  store: Store;
  settings: GithubSettings | null;
  sealer: Sealer;
  /** The console's secret, from which verifiers are made. */
  secret: string;
  /** The console's own address. */
  publicUrl: string;
  clock: () => number;
};

/** The same for an account of a console that has an OAuth app. */
export type WithGithub = GithubDeps & { settings: GithubSettings };

export const service = 'github';

const factsSchema = z.object({ host: z.string(), githubId: z.number().int(), scopes: z.array(z.string()) });
const hostOf = ({ site }: GithubSettings) => new URL(site).host;

/** Throws `conflict` on a console without GitHub. */
export function requireGithub(deps: GithubDeps): WithGithub {
  const { settings } = deps;
  if (settings === null)
    throw new ProblemError('conflict', 'This console does not work with GitHub.', {
      recovery: 'Its operator can set an OAuth app up, as the operator guide says.',
    });
  return { ...deps, settings };
}

const ownAccount = (db: Kysely<Database>, owner: Owner) =>
  db.selectFrom('linked_accounts').selectAll().where('owner_id', '=', owner).where('service', '=', service);

export async function readGithub(
  { store, settings }: Pick<GithubDeps, 'store' | 'settings'>,
  session: SessionIdentity,
): Promise<Github> {
  if (settings === null) return { host: null, account: null };
  const owner = ownerFromSession(session.userId);
  return store.read(owner, async ({ db }) => {
    const row = await ownAccount(db, owner).executeTakeFirst();
    if (!row) return { host: hostOf(settings), account: null };
    const { scopes } = factsSchema.parse(row.facts);
    return {
      host: hostOf(settings),
      account: {
        login: row.name ?? '',
        url: `${settings.site}/${encodeURIComponent(row.name ?? '')}`,
        tokenEnd: row.last_four,
        scopes,
        canDeploy: covers(scopes),
        linkAgain: row.problem !== null,
        hasOtherWay: await hasPassword(db, owner),
        linkedAt: row.linked_at,
      },
    };
  });
}

const covers = (scopes: readonly string[]) => deployScopes.every((scope) => isGranted(scopes, scope));

/** A wide scope includes narrow ones (GitHub, "Scopes for OAuth apps"). */
const isGranted = (scopes: readonly string[], scope: string) =>
  scopes.includes(scope) || (['read:user', 'user:email'].includes(scope) && scopes.includes('user'));

export async function hasPassword(db: Kysely<Database>, owner: Owner): Promise<boolean> {
  const { rows } = await sql`
    select 1 from auth.account where "userId" = ${owner} and "providerId" = 'credential' and password is not null`.execute(
    db,
  );
  return rows.length > 0;
}

/** Whose account a person of GitHub is here; null: nobody's. */
export async function findByPerson(
  { store, settings }: WithGithub,
  { id }: Pick<GithubPerson, 'id'>,
): Promise<{ ownerId: string; scopes: string[]; linkAgain: boolean } | null> {
  const row = await store.db
    .selectFrom('linked_accounts')
    .selectAll()
    .where('service', '=', service)
    .where(sql<boolean>`facts ->> 'host' = ${hostOf(settings)} and facts ->> 'githubId' = ${String(id)}`)
    .executeTakeFirst();
  if (!row) return null;
  return {
    ownerId: row.owner_id,
    scopes: factsSchema.parse(row.facts).scopes,
    linkAgain: row.problem !== null,
  };
}

/** Keeps a grant in place of an earlier one. The store refuses a person of GitHub who is linked to somebody else here. */
export async function keepGrant(
  db: Kysely<Database>,
  { settings, sealer, clock }: Pick<WithGithub, 'settings' | 'sealer' | 'clock'>,
  ownerId: string,
  { person, granted }: { person: GithubPerson; granted: Exchanged },
): Promise<void> {
  const bytes = Buffer.from(granted.token);
  const sealed = sealer.seal({ ownerId, purpose: service }, bytes);
  bytes.fill(0);
  const now = clock();
  const values = {
    kind: 'oauth',
    name: person.login,
    sealed,
    last_four: granted.token.slice(-4),
    facts: JSON.stringify({ host: hostOf(settings), githubId: person.id, scopes: granted.scopes }),
    problem: null,
    checked_at: now,
  };
  await db
    .insertInto('linked_accounts')
    .values({ owner_id: ownerId, service, linked_at: now, ...values })
    .onConflict((conflict) => conflict.columns(['owner_id', 'service']).doUpdateSet(values))
    .execute();
  await tellChange(db, ownerId, 'github', null);
  await tellChange(db, ownerId, 'profile', null);
}

/**
 * Lets `work` ask GitHub with the person's token, for a request that changes something. `what` ends the sentence "GitHub did not …".
 * A token that GitHub refuses is marked, so that every page says "link again". Throws `ProblemError`.
 */
export function askAs<T>(deps: WithGithub, owner: Owner, what: string, work: Work<T>): Promise<T> {
  return askWithToken(deps, owner, what, work, (sealed) => markRefused(deps, owner, sealed));
}

/** The same for a request that only reads: it says "link again" too, and writes nothing. */
export function askReading<T>(deps: WithGithub, owner: Owner, what: string, work: Work<T>): Promise<T> {
  return askWithToken(deps, owner, what, work, async () => {});
}

type Work<T> = (ask: Ask, account: { id: string; scopes: string[] }, askWhere: AskWhere) => Promise<T>;

async function askWithToken<T>(
  deps: WithGithub,
  owner: Owner,
  what: string,
  work: Work<T>,
  onRefused: (sealed: Buffer) => Promise<void>,
): Promise<T> {
  const row = await ownAccount(deps.store.db, owner).executeTakeFirst();
  if (!row) throw notLinked();
  if (row.problem !== null) throw linkAgain();
  const account = { id: row.id, scopes: factsSchema.parse(row.facts).scopes };
  try {
    return await deps.sealer.open({ ownerId: owner, purpose: service }, row.sealed, (bytes) => {
      const token = bytes.toString();
      return work(askWith(deps.settings, token), account, askWhereWith(deps.settings, token));
    });
  } catch (error) {
    if (error instanceof SealBroken || (error instanceof GithubFailure && error.refusal.kind === 'revoked')) {
      await onRefused(row.sealed);
      throw linkAgain();
    }
    throw error instanceof GithubFailure ? toProblem(error, what) : error;
  }
}

/** Only the token that was refused: a page may have linked the account again meanwhile. */
async function markRefused({ store, clock }: WithGithub, owner: Owner, sealed: Buffer): Promise<void> {
  await store.db
    .updateTable('linked_accounts')
    .set({ problem: 'refused', checked_at: clock() })
    .where('owner_id', '=', owner)
    .where('service', '=', service)
    .where('sealed', '=', sealed)
    .execute();
  await tellChange(store.db, owner, 'github', null);
}
