import { deployScopes, type GithubLinkKind } from '@homeport/contract/github/facts';
import type { Github, UnlinkedGithub } from '@homeport/contract/github/schema';
import type { RouteParsed } from '@homeport/contract/routes';
import type { SessionIdentity } from '@homeport/contract/services';
import { isUniqueViolation, ownerFromSession } from '@homeport/store';
import { holdSession } from '../confirmation/confirmed.ts';
import { ProblemError } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { SealBroken } from '../sealing/sealer.ts';
import {
  findByPerson,
  type GithubDeps,
  hasPassword,
  keepGrant,
  readGithub,
  requireApp,
  service,
} from './account.ts';
import { consentAddress, consentProblem, type Exchanged, endAtGithub, exchangeCode } from './consent.ts';
import { type GithubPerson, readPersonOrEnd } from './identity.ts';
import { GithubFailure } from './refusal.ts';
import { grantPage, tokensPage } from './settings.ts';
import { beginVisit, endVisit } from './visits.ts';

const visitorOf = ({ userId, sessionId }: SessionIdentity) =>
  ({ purpose: 'link', ownerId: userId, sessionId }) as const;

/** GitHub leads back to the profile, whose page finishes the link. */
const returnTo = ({ publicUrl }: GithubDeps) => `${new URL(publicUrl).origin}/profile`;

/** The address at GitHub where the signed-in person agrees. */
export async function beginLink(deps: GithubDeps, session: SessionIdentity): Promise<{ url: string }> {
  const app = await requireApp(deps);
  const state = await beginVisit({ db: deps.store.db, clock: deps.clock }, visitorOf(session));
  const visit = { state, returnTo: returnTo(deps) };
  return { url: consentAddress(deps.settings, app, { secret: deps.secret, visit, scopes: deployScopes }) };
}

/**
 * Links the account of GitHub with which the person agreed. Throws `conflict` if it is linked to somebody else's account here, or
 * if this account is linked to another one of GitHub.
 */
export async function finishLink(
  deps: GithubDeps,
  session: SessionIdentity,
  { code, state }: RouteParsed<'POST /api/github/link/finish'>['body'],
): Promise<Github> {
  const { settings, secret, store } = deps;
  const app = await requireApp(deps);
  await endVisit({ db: store.db, clock: deps.clock }, state, visitorOf(session));
  const visit = { state, returnTo: returnTo(deps) };
  try {
    const granted = await exchangeCode(settings, app, { secret, visit, code });
    const person = await readPersonOrEnd(settings, app, granted);
    await keepLink(deps, session, { person, granted, kind: 'oauth' }, () =>
      endAtGithub(settings, app, 'token', granted.token),
    );
  } catch (error) {
    throw error instanceof GithubFailure ? consentProblem(error) : error;
  }
  return readGithub(deps, session);
}

type Link = { person: GithubPerson; granted: Exchanged; kind: GithubLinkKind };

/**
 * Keeps a link in place of an earlier one of the same person of GitHub. Throws `conflict` for a person who is linked to somebody else
 * here, or where another one is linked. `onRefused` ends the token that nobody keeps.
 */
export async function keepLink(
  deps: GithubDeps,
  session: SessionIdentity,
  { person, granted, kind }: Link,
  onRefused: () => Promise<unknown>,
): Promise<void> {
  const known = await findByPerson(deps, person);
  const refuse = async (error: ProblemError) => {
    await onRefused();
    throw error;
  };
  if (known && known.ownerId !== session.userId) return refuse(linkedElsewhere(person.login));
  const own = (await readGithub(deps, session)).account;
  if (own && !known)
    return refuse(
      new ProblemError(
        'conflict',
        `Your account is linked to ${own.login} at GitHub, and you agreed as ${person.login}.`,
        {
          recovery: `Unlink ${own.login} first, or sign in as ${own.login} at GitHub.`,
        },
      ),
    );
  try {
    await deps.store.transact(ownerFromSession(session.userId), async (scope) => {
      await holdSession(scope, session.sessionId);
      await keepGrant(scope.db, deps, session.userId, { person, granted, kind });
    });
  } catch (error) {
    // Two accounts linked the same person of GitHub at once.
    if (isUniqueViolation(error)) return refuse(linkedElsewhere(person.login));
    if (error instanceof ProblemError) return refuse(error);
    throw error;
  }
}

const linkedElsewhere = (login: string) =>
  new ProblemError('conflict', `The GitHub account ${login} is linked to another account of this console.`, {
    recovery: 'Unlink it there first, or sign in at GitHub with another account.',
  });

/**
 * Ends the grant at GitHub and forgets its token. The answer names the page where the person revokes a grant that GitHub did not end.
 * Throws `conflict` if GitHub is the only way to sign in. `before` still has the grant.
 */
export async function unlink(
  deps: GithubDeps,
  session: SessionIdentity,
  before: () => Promise<void>,
): Promise<UnlinkedGithub> {
  const owner = ownerFromSession(session.userId);
  const refuseOnlyWay = async (db: Parameters<typeof hasPassword>[0]) => {
    if (await hasPassword(db, owner)) return;
    throw new ProblemError('conflict', 'GitHub is your only way to sign in. Your account stays linked.', {
      recovery: 'Set a password first: sign out, choose “Forgot password?” and open the link in the message.',
    });
  };
  await refuseOnlyWay(deps.store.db);
  await before();
  const gone = await deps.store.transact(owner, async ({ db }) => {
    await refuseOnlyWay(db);
    const row = await db
      .deleteFrom('linked_accounts')
      .where('owner_id', '=', owner)
      .where('service', '=', service)
      .returning(['sealed', 'kind'])
      .executeTakeFirst();
    await notifyChange(db, owner, 'github', null);
    await notifyChange(db, owner, 'profile', null);
    return row;
  });
  const grantLeftAt = gone === undefined ? null : await endLink(deps, owner, gone);
  return { ...(await readGithub(deps, session)), grantLeftAt };
}

/**
 * Ends a grant at GitHub. The page where the person has to do that, because GitHub did not say that it is over, or because no program ends
 * a token that a person made. Null: it is over.
 */
async function endLink(
  deps: GithubDeps,
  ownerId: string,
  { kind, sealed }: { kind: string; sealed: Buffer },
): Promise<string | null> {
  const { settings, sealer } = deps;
  const app = kind === 'oauth' ? await deps.readApp() : null;
  if (app === null) return tokensPage(settings);
  try {
    const isOver = await sealer.open({ ownerId, purpose: service }, sealed, (token) =>
      endAtGithub(settings, app, 'grant', token.toString()),
    );
    return isOver ? null : grantPage(settings, app);
  } catch (error) {
    // A token that does not open any more is of no use to anybody here, but its grant still stands at GitHub.
    if (error instanceof SealBroken) return grantPage(settings, app);
    throw error;
  }
}
