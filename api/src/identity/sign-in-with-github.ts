import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { nameSchema } from '@homeport/contract/fields/schema';
import { consentMinutes, signInScopes } from '@homeport/contract/github/facts';
import { isUniqueViolation } from '@homeport/store';
import { findByPerson, type GithubDeps, type KnownPerson, keepGrant, requireApp } from '../github/account.ts';
import {
  consentAddress,
  consentProblem,
  type Exchanged,
  endAtGithub,
  exchangeCode,
} from '../github/consent.ts';
import { type GithubPerson, readPersonOrEnd, readVerifiedEmail } from '../github/identity.ts';
import { GithubFailure } from '../github/refusal.ts';
import type { OAuthApp } from '../github/settings.ts';
import { beginVisit, endVisit } from '../github/visits.ts';
import { ProblemError } from '../http/problem.ts';
import { hasSecondStep } from './second-step/require-second-step.ts';
import type { SignUpPolicy } from './sign-up-policy.ts';
import { type AttemptRule, takeAttempt } from './waiting/attempts.ts';

/** The caller's address, and the Cookie header of its request. */
export type Visitor = { address: string; cookies: string | undefined };

/** Visits of one address: each keeps a row for some minutes. */
const visitRule: AttemptRule = { free: 30, withinMs: 60_000 };

/** GitHub leads back to the sign-in page, which finishes the sign-in. */
const returnTo = ({ publicUrl }: GithubDeps) => `${new URL(publicUrl).origin}/login`;

/** The address at GitHub where the visitor agrees, and the cookie that names this browser until then. */
export async function beginSignIn(
  deps: GithubDeps,
  visitor: Visitor,
): Promise<{ url: string; cookie: string }> {
  const app = await requireApp(deps);
  await refuseFlood(deps, visitor.address);
  const browser = randomBytes(32).toString('base64url');
  const state = await beginVisit({ db: deps.store.db, clock: deps.clock }, { purpose: 'sign-in', browser });
  const visit = { state, returnTo: returnTo(deps) };
  return {
    url: consentAddress(deps.settings, app, { secret: deps.secret, visit, scopes: signInScopes }),
    cookie: cookieLine(deps, browser, consentMinutes * 60),
  };
}

export type Entered = { userId: string; isNew: boolean; cookie: string };

/**
 * The account of the person who agreed at GitHub. Without one, makes an account if the sign-up policy lets the person in. An account
 * with the same e-mail address stays untouched: an address at GitHub proves nothing about an account here.
 */
export async function finishSignIn(
  deps: GithubDeps,
  signUps: SignUpPolicy,
  {
    code,
    state,
    invitation,
    ...visitor
  }: Visitor & { code: string; state: string; invitation: string | undefined },
): Promise<Entered> {
  const app = await requireApp(deps);
  await refuseFlood(deps, visitor.address);
  const browser = browserIn(deps, visitor.cookies);
  await endVisit({ db: deps.store.db, clock: deps.clock }, state, { purpose: 'sign-in', browser });
  const cookie = cookieLine(deps, '', 0);
  try {
    const visit = { state, returnTo: returnTo(deps) };
    const granted = await exchangeCode(deps.settings, app, { secret: deps.secret, visit, code });
    const person = await readPersonOrEnd(deps.settings, app, granted);
    const known = await findByPerson(deps, person);
    if (!known)
      return {
        userId: await signUp(deps, app, signUps, { person, granted, invitation }),
        isNew: true,
        cookie,
      };
    // Before the code of the second step, this is half a sign-in, which changes nothing.
    if (await hasSecondStep(deps.store, known.ownerId))
      await endAtGithub(deps.settings, app, 'token', granted.token);
    else await keepTheWiderGrant(deps, app, known, { person, granted });
    return { userId: known.ownerId, isNew: false, cookie };
  } catch (error) {
    throw error instanceof GithubFailure ? consentProblem(error) : error;
  }
}

type Agreed = { person: GithubPerson; granted: Exchanged };

/** A sign-in asks for little. So the token of an earlier link, which may deploy, stays as long as GitHub accepts it. A typed token stays too. */
async function keepTheWiderGrant(
  deps: GithubDeps,
  app: OAuthApp,
  known: KnownPerson,
  { person, granted }: Agreed,
): Promise<void> {
  const isWider = known.kind === 'oauth' && granted.scopes.some((scope) => !known.scopes.includes(scope));
  if (known.linkAgain || isWider) await keepGrant(deps.store.db, deps, known.ownerId, { person, granted });
  else await endAtGithub(deps.settings, app, 'token', granted.token);
}

async function signUp(
  deps: GithubDeps,
  app: OAuthApp,
  signUps: SignUpPolicy,
  { person, granted, invitation }: Agreed & { invitation: string | undefined },
): Promise<string> {
  try {
    const email = await readVerifiedEmail(deps.settings, granted);
    if (email === null) throw noAddress();
    return await signUps.admit({ email, invitation }, () => addAccount(deps, email, { person, granted }));
  } catch (error) {
    await endAtGithub(deps.settings, app, 'token', granted.token);
    throw error;
  }
}

/** The account and its grant come together, so that nobody is left with an account without a way to sign in. */
async function addAccount(deps: GithubDeps, email: string, { person, granted }: Agreed): Promise<string> {
  const id = randomUUID();
  const name = nameSchema.safeParse(person.name).data ?? person.login;
  try {
    await deps.store.db.transaction().execute(async (db) => {
      await db
        .insertInto('auth.user')
        // GitHub has sent a message to this address and got its answer.
        .values({ id, name, email, emailVerified: true, image: null })
        .execute();
      await keepGrant(db, deps, id, { person, granted });
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw addressTaken();
    throw error;
  }
  return id;
}

const noAddress = () =>
  new ProblemError(
    'conflict',
    'GitHub names no verified e-mail address of yours, which a new account needs.',
    {
      recovery: 'Verify your first address at GitHub, then begin again.',
    },
  );

const addressTaken = () =>
  new ProblemError('conflict', 'Your e-mail address at GitHub already has an account here.', {
    recovery: 'Sign in to that account with its password, then link GitHub on its profile.',
  });

async function refuseFlood({ store, secret, clock }: GithubDeps, address: string): Promise<void> {
  const key = createHmac('sha256', secret).update(`homeport github visits\0${address}`).digest();
  const seconds = await takeAttempt(store, key, visitRule, clock());
  if (seconds === 0) return;
  throw new ProblemError('too_many', `Too many tries. Try again in ${seconds} seconds.`, {
    retryAfterSeconds: seconds,
  });
}

const isSecure = ({ publicUrl }: GithubDeps) => publicUrl.startsWith('https:');
/**
 * Behind `__Host-`, browsers keep only what this very host has set (RFC 6265bis, 4.1.3). Without it, an app on a subdomain beside the
 * console could plant the word of its own visit, and sign the visitor in as somebody else.
 */
const cookieName = (deps: GithubDeps) => `${isSecure(deps) ? '__Host-' : ''}homeport.github_visit`;

function cookieLine(deps: GithubDeps, value: string, seconds: number): string {
  const end = isSecure(deps) ? '; Secure' : '';
  return `${cookieName(deps)}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${end}`;
}

function browserIn(deps: GithubDeps, cookies = ''): string {
  const begin = `${cookieName(deps)}=`;
  const found = cookies
    .split(';')
    .map((cookie) => cookie.trim())
    .find((cookie) => cookie.startsWith(begin));
  return found?.slice(begin.length) ?? '';
}
