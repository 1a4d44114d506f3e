import type { SecurityEventKind } from '@homeport/contract/account/facts';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import { ProblemError, wrongField } from '../http/problem.ts';
import { tellChange } from '../live/tell-change.ts';
import { type Action, type Answered, type AuthRouteOptions, askAsItIs } from './ask-library.ts';
import { letIn, note } from './let-in.ts';
import { readSession } from './session.ts';

/**
 * The second step of signing in: a code of an authenticator app (TOTP, RFC 6238), or one of the recovery codes.
 * After the password, the library answers with a signed cookie in place of a session. The session is made when
 * the code is right.
 */
export const secondStepActions = {
  'POST /api/auth/two-factor/enable': (...asked) => withPassword(null, ...asked),
  'POST /api/auth/two-factor/disable': (...asked) => withPassword('second_step_off', ...asked),
  'POST /api/auth/two-factor/generate-backup-codes': (...asked) =>
    withPassword('recovery_codes_made', ...asked),
  'POST /api/auth/two-factor/verify-totp': (...asked) => verify('signed_in', ...asked),
  'POST /api/auth/two-factor/verify-backup-code': (...asked) => verify('recovery_code_used', ...asked),
} satisfies Record<string, Action>;

/** True for the library's answer to a right password that needs the second step. */
export const needsSecondStep = (answer: unknown): boolean =>
  z.object({ twoFactorRedirect: z.literal(true) }).safeParse(answer).success;

/** A change of the second step needs the password again, with the limit of tries of the account. */
async function withPassword(
  done: SecurityEventKind | null,
  request: FastifyRequest,
  url: string,
  options: AuthRouteOptions,
): Promise<Answered> {
  const { auth, store, passwords } = options;
  const found = await readSession(auth, store, request);
  if (!found) throw new ProblemError('not_signed_in', 'You are not signed in.');
  const { password } = z.object({ password: z.string() }).parse(request.body);
  await passwords.prove(found.session, password, 'password');
  const answered = await askAsItIs(request, url, options);
  if (done !== null) note(done, found.session.userId, request, options);
  await tellChange(store.db, found.session.userId, 'profile', null);
  return answered;
}

/** With a session, the first right code turns the second step on. Without one, the code signs the person in. */
async function verify(
  signedInBy: SecurityEventKind,
  request: FastifyRequest,
  url: string,
  options: AuthRouteOptions,
): Promise<Answered> {
  const found = await readSession(options.auth, options.store, request);
  if (found) {
    const answered = await askAsItIs(request, url, options).catch(inPlainWords);
    note('second_step_on', found.session.userId, request, options);
    await tellChange(options.store.db, found.session.userId, 'profile', null);
    return answered;
  }
  // The challenge is used up by a right code, and by the last wrong one.
  const account = await accountOfChallenge(request, options);
  const answered = await askAsItIs(request, url, options).catch((error: unknown) => {
    if (account !== null) note('sign_in_failed', account, request, options);
    return inPlainWords(error);
  });
  return letIn(signedInBy, answered, request, options);
}

const wrongCodes = ['Invalid code', 'Invalid backup code'];

/** @throws ProblemError always: the library's refusals in the console's words. */
function inPlainWords(error: unknown): never {
  if (!(error instanceof ProblemError)) throw error;
  if (wrongCodes.includes(error.message)) throw wrongField('code', 'This code is wrong or was used before.');
  if (error.message === 'Invalid two factor cookie' || error.message.startsWith('Too many attempts'))
    throw new ProblemError('not_signed_in', 'This sign-in took too long or had too many wrong codes.', {
      recovery: 'Sign in with your password again.',
    });
  throw error;
}

/** The account whose password was right, as the challenge's cookie names it. Null for none. */
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
