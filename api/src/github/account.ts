import { deployScopes, type GithubLinkKind, githubLinkKinds } from '@homeport/contract/github/facts';
import type { Github } from '@homeport/contract/github/schema';
import type { SessionIdentity } from '@homeport/contract/services';
import { type Database, type Owner, ownerFromSession, type Store } from '@homeport/store';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { ProblemError } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { SealBroken, type Sealer } from '../sealing/sealer.ts';
import { type Ask, type AskWhere, askWhereWith, askWith } from './client.ts';
import type { Exchanged } from './consent.ts';
import type { GithubPerson } from './identity.ts';
import { GithubFailure, linkAgain, notLinked, toProblem } from './refusal.ts';
import { type GithubSettings, type OAuthApp, tokensPage } from './settings.ts';

/** What the parts of GitHub need. */
export type GithubDeps = {
  store: Store;
  settings: GithubSettings;
  /** The console's OAuth app. Null where nobody set one up. */
  readApp(): Promise<OAuthApp | null>;
  sealer: Sealer;
  /** The console's secret, from which verifiers are made. */
  secret: string;
  /** The console's own address. */
  publicUrl: string;
  clock: () => number;
};

export const service = 'github';

const kindSchema = z.enum(githubLinkKinds);
const factsSchema = z.object({ host: z.string(), githubId: z.number().int(), scopes: z.array(z.string()) });
const hostOf = ({ site }: GithubSettings) => new URL(site).host;

/** Throws `conflict` on a console without an OAuth app. */
export async function requireApp({ readApp }: Pick<GithubDeps, 'readApp'>): Promise<OAuthApp> {
  const app = await readApp();
  if (app === null)
    throw new ProblemError('conflict', 'This console has no OAuth app at GitHub.', {
      recovery: 'Link your account with an access token, or ask the owner of this console to set the app up.',
    });
  return app;
}

const ownAccount = (db: Kysely<Database>, owner: Owner) =>
  db.selectFrom('linked_accounts').selectAll().where('owner_id', '=', owner).where('service', '=', service);

export async function readGithub(
  { store, settings, readApp }: Pick<GithubDeps, 'store' | 'settings' | 'readApp'>,
  session: SessionIdentity,
): Promise<Github> {
  const shown = {
    host: hostOf(settings),
    canConsent: (await readApp()) !== null,
    tokensPage: tokensPage(settings),
  };
  const owner = ownerFromSession(session.userId);
  return store.read(owner, async ({ db }) => {
    const row = await ownAccount(db, owner).executeTakeFirst();
    if (!row) return { ...shown, account: null };
    const { scopes } = factsSchema.parse(row.facts);
    return {
      ...shown,
      account: {
        kind: kindSchema.parse(row.kind),
        login: row.name ?? '',
        url: `${settings.site}/${encodeURIComponent(row.name ?? '')}`,
        tokenEnd: row.last_four,
        scopes,
        canDeploy: mayDeploy(row.kind, scopes),
        linkAgain: row.problem !== null,
        hasOtherWay: await hasPassword(db, owner),
        linkedAt: row.linked_at,
      },
    };
  });
}

/** GitHub does not list what a fine-grained token may do, and refuses what it may not. */
const mayDeploy = (kind: string, scopes: readonly string[]) =>
  kind === 'fine_grained' || deployScopes.every((scope) => isGranted(scopes, scope, kind));

/** A wide scope includes narrow ones (GitHub, "Scopes for OAuth apps"). */
const isGranted = (scopes: readonly string[], scope: string, kind: string) =>
  scopes.includes(scope) ||
  // Nobody signs in with a token, so it needs no word about the person.
  (kind === 'token' && scope.includes(':')) ||
  (['read:user', 'user:email'].includes(scope) && scopes.includes('user'));

export async function hasPassword(db: Kysely<Database>, owner: Owner): Promise<boolean> {
  const { rows } = await sql`
    select 1 from auth.account where "userId" = ${owner} and "providerId" = 'credential' and password is not null`.execute(
    db,
  );
  return rows.length > 0;
}

export type KnownPerson = { ownerId: string; kind: GithubLinkKind; scopes: string[]; linkAgain: boolean };

/** Whose account a person of GitHub is here; null: nobody's. */
export async function findByPerson(
  { store, settings }: GithubDeps,
  { id }: Pick<GithubPerson, 'id'>,
): Promise<KnownPerson | null> {
  const row = await store.db
    .selectFrom('linked_accounts')
    .selectAll()
    .where('service', '=', service)
    .where(sql<boolean>`facts ->> 'host' = ${hostOf(settings)} and facts ->> 'githubId' = ${String(id)}`)
    .executeTakeFirst();
  if (!row) return null;
  return {
    ownerId: row.owner_id,
    kind: kindSchema.parse(row.kind),
    scopes: factsSchema.parse(row.facts).scopes,
    linkAgain: row.problem !== null,
  };
}

/** Keeps a grant in place of an earlier one. The store refuses a person of GitHub who is linked to somebody else here. */
export async function keepGrant(
  db: Kysely<Database>,
  { settings, sealer, clock }: Pick<GithubDeps, 'settings' | 'sealer' | 'clock'>,
  ownerId: string,
  { person, granted, kind = 'oauth' }: { person: GithubPerson; granted: Exchanged; kind?: GithubLinkKind },
): Promise<void> {
  const bytes = Buffer.from(granted.token);
  const sealed = sealer.seal({ ownerId, purpose: service }, bytes);
  bytes.fill(0);
  const now = clock();
  const values = {
    kind,
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
  await notifyChange(db, ownerId, 'github', null);
  await notifyChange(db, ownerId, 'profile', null);
}

/**
 * Lets `work` ask GitHub with the person's token, for a request that changes something. `what` ends the sentence "GitHub did not …".
 * A token that GitHub refuses is marked, so that every page says "link again". Throws `ProblemError`.
 */
export function askAs<T>(deps: GithubDeps, owner: Owner, what: string, work: Work<T>): Promise<T> {
  return askWithToken(deps, owner, what, work, (sealed) => markRefused(deps, owner, sealed));
}

/** The same for a request that only reads: it says "link again" too, and writes nothing. */
export function askReading<T>(deps: GithubDeps, owner: Owner, what: string, work: Work<T>): Promise<T> {
  return askWithToken(deps, owner, what, work, async () => {});
}

type Work<T> = (ask: Ask, account: { id: string; scopes: string[] }, askWhere: AskWhere) => Promise<T>;

async function askWithToken<T>(
  deps: GithubDeps,
  owner: Owner,
  what: string,
  work: Work<T>,
  onRefused: (sealed: Buffer) => Promise<void>,
): Promise<T> {
  const row = await ownAccount(deps.store.db, owner).executeTakeFirst();
  if (!row) throw notLinked();
  if (row.problem !== null) throw linkAgain();
  const { scopes } = factsSchema.parse(row.facts);
  const account = { id: row.id, scopes: row.kind === 'fine_grained' ? [...deployScopes] : scopes };
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
async function markRefused({ store, clock }: GithubDeps, owner: Owner, sealed: Buffer): Promise<void> {
  await store.db
    .updateTable('linked_accounts')
    .set({ problem: 'refused', checked_at: clock() })
    .where('owner_id', '=', owner)
    .where('service', '=', service)
    .where('sealed', '=', sealed)
    .execute();
  await notifyChange(store.db, owner, 'github', null);
}
