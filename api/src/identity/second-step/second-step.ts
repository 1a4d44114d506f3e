import type { SecurityEventKind } from '@homeport/contract/account/facts';
import type { SessionIdentity } from '@homeport/contract/services';
import { symmetricDecrypt } from 'better-auth/crypto';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import { ProblemError, wrongField } from '../../http/problem.ts';
import { notifyChange } from '../../live/notify-change.ts';
import { type Action, type Answered, type AuthRouteOptions, askAsItIs } from '../ask-library.ts';
import type { AuthKey } from '../auth-table.ts';
import { letIn, note } from '../let-in.ts';
import { readSession } from '../session.ts';
import { sealedSecret, useAppCode } from './use-app-code.ts';

/**
 * The second step of signing in: a code of an authenticator app (TOTP, RFC 6238), or one of the recovery codes.
 * After the password or GitHub, the library answers with a signed cookie in place of a session. The session is made when
 * the code is right.
 */
export const secondStepActions = (): Partial<Record<AuthKey, Action>> => ({
  'POST /api/auth/two-factor/enable': begin,
  'POST /api/auth/two-factor/disable': turnOff,
  'POST /api/auth/two-factor/generate-backup-codes': makeCodes,
  'POST /api/auth/two-factor/verify-totp': verifyAppCode,
  'POST /api/auth/two-factor/verify-backup-code': verifyRecoveryCode,
});

/** True for the library's answer to a right password that needs the second step. */
export const needsSecondStep = (answer: unknown): boolean =>
  z.object({ twoFactorRedirect: z.literal(true) }).safeParse(answer).success;

/** A change of the second step needs the password again, with the limit of tries of the account. */
async function provePassword(
  request: FastifyRequest,
  { auth, store, passwords }: AuthRouteOptions,
): Promise<string> {
  const found = await readSession(auth, store, request);
  if (!found) throw new ProblemError('not_signed_in', 'You are not signed in.');
  const { password } = z.object({ password: z.string() }).parse(request.body);
  await passwords.prove(found.session, password, 'password');
  return found.session.userId;
}

const begin: Action = async (request, url, options) => {
  await provePassword(request, options);
  return askAsItIs(request, url, options);
};

const makeCodes: Action = async (request, url, options) => {
  const owner = await provePassword(request, options);
  const answered = await askAsItIs(request, url, options);
  note('recovery_codes_made', owner, request, options);
  return answered;
};

/** The library would put another session in place of this one, and its connections would close. */
const turnOff: Action = async (request, _url, options) => {
  const owner = await provePassword(request, options);
  await options.store.db.transaction().execute(async (db) => {
    await db.updateTable('auth.user').set({ twoFactorEnabled: false }).where('id', '=', owner).execute();
    await sql`delete from auth."twoFactor" where "userId" = ${owner}`.execute(db);
    await notifyChange(db, owner, 'profile', null);
  });
  note('second_step_off', owner, request, options);
  return { answer: { status: true }, cookies: [] };
};

/** With a session, the first right code turns the second step on. Without one, a code signs the person in. */
const verifyAppCode: Action = async (request, url, options) => {
  const found = await readSession(options.auth, options.store, request);
  return found ? turnOn(found.session, request, options) : signInWithCode('signed_in', request, url, options);
};

const verifyRecoveryCode: Action = (request, url, options) =>
  signInWithCode('recovery_code_used', request, url, options);

/** As in `turnOff`, the session stays. */
async function turnOn(
  { userId: id, name, email, emailVerified }: SessionIdentity,
  request: FastifyRequest,
  options: AuthRouteOptions,
): Promise<Answered> {
  const { auth, store, clock } = options;
  const { code } = z.object({ code: z.string() }).parse(request.body);
  const sealed = await sealedSecret(store.db, id);
  if (sealed === null)
    throw new ProblemError('conflict', 'There is no secret to confirm.', {
      recovery: 'Begin to turn the second step on again.',
    });
  const { secretConfig } = await auth.$context;
  const secret = await symmetricDecrypt({ key: secretConfig, data: sealed });
  if (!(await useAppCode(store.db, { userId: id, secret, code, now: clock() }))) throw wrongCode();
  await store.db.transaction().execute(async (db) => {
    await sql`update auth."twoFactor" set verified = true where "userId" = ${id}`.execute(db);
    await db.updateTable('auth.user').set({ twoFactorEnabled: true }).where('id', '=', id).execute();
    await notifyChange(db, id, 'profile', null);
  });
  note('second_step_on', id, request, options);
  return { answer: { user: { id, name, email, emailVerified } }, cookies: [] };
}

async function signInWithCode(
  signedInBy: SecurityEventKind,
  request: FastifyRequest,
  url: string,
  options: AuthRouteOptions,
): Promise<Answered> {
  // The challenge is used up by a right code, and by the last wrong one.
  const account = await accountOfChallenge(request, options);
  const answered = await askAsItIs(request, url, options).catch((error: unknown) => {
    if (account !== null) note('sign_in_failed', account, request, options);
    return inPlainWords(error);
  });
  return letIn(signedInBy, answered, request, options);
}

const wrongCode = () => wrongField('code', 'This code is wrong or was used before.');
const wrongCodes = ['Invalid code', 'Invalid backup code'];

/** @throws ProblemError always: the library's refusals in the console's words. */
function inPlainWords(error: unknown): never {
  if (!(error instanceof ProblemError)) throw error;
  if (wrongCodes.includes(error.message)) throw wrongCode();
  if (error.message === 'Invalid two factor cookie' || error.message.startsWith('Too many attempts'))
    throw new ProblemError('not_signed_in', 'This sign-in took too long or had too many wrong codes.', {
      recovery: 'Sign in again.',
    });
  throw error;
}

/** The account whose password was right or whom GitHub identified, as the challenge's cookie names it. Null for none. */
async function accountOfChallenge(
  { headers }: FastifyRequest,
  { auth, store }: AuthRouteOptions,
): Promise<string | null> {
  const { createAuthCookie } = await auth.$context;
  const begin = `${createAuthCookie('two_factor').name}=`;
  const cookie = headers.cookie
    ?.split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(begin));
  // The name before the signature holds 20 random characters, so that nobody names another's challenge.
  const [identifier = ''] = cookie?.slice(begin.length).split('.') ?? [];
  const { rows } = await sql<{ id: string }>`
    select "user".id from auth.verification join auth."user" on "user".id::text = verification.value
      where identifier = ${identifier} and "expiresAt" > now()`.execute(store.db);
  return rows[0]?.id ?? null;
}
