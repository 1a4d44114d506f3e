import type { RouteSchemas } from '@homeport/contract/route';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { bodyLimitBytes } from '../http/log.ts';
import { ProblemError } from '../http/problem.ts';
import { tooManyTries } from '../http/too-many-tries.ts';
import { noteSecurityEvent } from '../security-events/note-event.ts';
import {
  type Action,
  type Answered,
  type AuthRouteOptions,
  ask,
  askAsItIs,
  callerHeaders,
  originOf,
  toFetchRequest,
} from './ask-library.ts';
import { provenAddressHeader } from './auth.ts';
import { type AuthKey, authTable } from './auth-table.ts';
import { confirmEmailChange } from './email-change/email-change.ts';
import { letIn, signedInSchema } from './let-in.ts';
import { needsSecondStep, secondStepActions } from './second-step/second-step.ts';
import { beginSignIn, finishSignIn } from './sign-in-with-github.ts';
import { beginWithPasskey, finishWithPasskey } from './sign-in-with-passkey.ts';
import { type AttemptRule, takeAttempt } from './waiting/attempts.ts';
import { resetPassword } from './ways-in/reset-password.ts';

/**
 * Mounts the open routes of better-auth on Fastify. The library takes and returns requests of the Fetch
 * standard.
 */
export function mountAuth(
  scope: FastifyInstance,
  guard: onRequestAsyncHookHandler[],
  options: AuthRouteOptions,
): void {
  for (const key of Object.keys(authTable) as AuthKey[]) {
    const route: RouteSchemas = authTable[key];
    const url = key.slice('POST /api'.length);
    scope.route({
      method: 'POST',
      url,
      bodyLimit: bodyLimitBytes,
      onRequest: guard,
      schema: { ...(route.body && { body: route.body }), response: { 200: route.reply } },
      async handler(request, reply) {
        const { answer, cookies } = await (actions[key] ?? askAsItIs)(request, url, options);
        for (const cookie of cookies) reply.header('set-cookie', cookie);
        return reply.send(answer);
      },
    });
  }
}

/** The routes where the console does more than the library. */
const actions: Partial<Record<AuthKey, Action>> = {
  'POST /api/auth/sign-up/email': async (request, url, options) => {
    const answered = await signUp(request, url, options);
    return letIn('signed_up', answered, request, options);
  },
  'POST /api/auth/sign-in/email': signIn,
  'POST /api/auth/sign-in/github/begin': async (request, _url, { github }) => {
    const { url, cookie } = await beginSignIn(github, visitorOf(request));
    return { answer: { url }, cookies: [cookie] };
  },
  'POST /api/auth/sign-in/github': signInWithGithub,
  'POST /api/auth/sign-in/passkey/begin': async (request, _url, { passkeys }) => {
    const { answer, cookie } = await beginWithPasskey(passkeys, visitorOf(request));
    return { answer, cookies: [cookie] };
  },
  'POST /api/auth/sign-in/passkey': signInWithPasskey,
  'POST /api/auth/confirm-email-change': async (request, _url, { emailChanges }) => {
    const { token } = authTable['POST /api/auth/confirm-email-change'].body.parse(request.body);
    const changed = await confirmEmailChange(emailChanges, token, originOf(request));
    return { answer: { changed }, cookies: [] };
  },
  'POST /api/auth/reset-password': resetWithLink,
  ...secondStepActions(),
};

function signUp(request: FastifyRequest, url: string, options: AuthRouteOptions): Promise<Answered> {
  const { name, email, password, invitation } = authTable['POST /api/auth/sign-up/email'].body.parse(
    request.body,
  );
  options.passwords.refuseWeak(password, { name, email }, 'password');
  return options.signUps.admit({ email, invitation }, (addressProven) => {
    const asked = toFetchRequest(request, url, options.origin);
    if (addressProven) asked.headers.set(provenAddressHeader, 'yes');
    return ask(asked, options.auth);
  });
}

async function signIn(request: FastifyRequest, url: string, options: AuthRouteOptions): Promise<Answered> {
  const answered = await askAsItIs(request, url, options).catch((error: unknown) => {
    if (error instanceof ProblemError && error.code === 'not_signed_in') noteFailure(request, options);
    throw error;
  });
  if (needsSecondStep(answered.answer)) return answered;
  remindToVerify(answered.answer, options);
  return letIn('signed_in', answered, request, options);
}

async function signInWithGithub(
  request: FastifyRequest,
  _url: string,
  options: AuthRouteOptions,
): Promise<Answered> {
  const { code, state, invitation } = authTable['POST /api/auth/sign-in/github'].body.parse(request.body);
  const asked = { ...visitorOf(request), code, state, invitation };
  const { userId, isNew, cookie } = await finishSignIn(options.github, options.signUps, asked);
  return enter(isNew ? 'signed_up' : 'signed_in', { userId, cookie }, request, options);
}

async function signInWithPasskey(
  request: FastifyRequest,
  _url: string,
  options: AuthRouteOptions,
): Promise<Answered> {
  const used = authTable['POST /api/auth/sign-in/passkey'].body.parse(request.body);
  return enter(
    'signed_in',
    await finishWithPasskey(options.passkeys, visitorOf(request), used),
    request,
    options,
  );
}

/** Makes the session of a person whom GitHub or a passkey identified, or asks for the second step. */
async function enter(
  kind: 'signed_in' | 'signed_up',
  { userId, cookie }: { userId: string; cookie: string },
  request: FastifyRequest,
  options: AuthRouteOptions,
): Promise<Answered> {
  const { response, headers } = await options.auth.api.enter({
    body: { userId },
    headers: callerHeaders(request, options.origin),
    returnHeaders: true,
  });
  const entered = { answer: response, cookies: [...headers.getSetCookie(), cookie] };
  if (needsSecondStep(response)) return entered;
  return letIn(kind, entered, request, options);
}

function visitorOf({ ip, headers }: FastifyRequest) {
  return { address: ip, cookies: headers.cookie };
}

/** In the background, so that the answer takes as long for an address without an account. */
function noteFailure(request: FastifyRequest, { store, clock, inBackground }: AuthRouteOptions): void {
  const { email } = authTable['POST /api/auth/sign-in/email'].body.parse(request.body);
  const from = originOf(request);
  const at = clock();
  const work = async () => {
    const account = await store.db
      .selectFrom('auth.user')
      .select('id')
      .where('email', '=', email.toLowerCase())
      .executeTakeFirst();
    if (account) await noteSecurityEvent(store.db, { owner: account.id, kind: 'sign_in_failed', from, at });
  };
  inBackground(work());
}

/** Tries of one address: each unknown token costs a query. */
const resetRule: AttemptRule = { free: 10, withinMs: 60_000 };

async function resetWithLink(
  request: FastifyRequest,
  _url: string,
  options: AuthRouteOptions,
): Promise<Answered> {
  const given = authTable['POST /api/auth/reset-password'].body.parse(request.body);
  const key = options.keyOf(`reset\0${request.ip}`);
  const seconds = await takeAttempt(options.store, key, resetRule, options.clock());
  if (seconds > 0) throw tooManyTries(seconds);
  const email = await resetPassword(options, given, originOf(request));
  const known = await options.limits.passwordSet({ email, cookies: request.headers.cookie });
  return { answer: { status: true }, cookies: [known] };
}

/**
 * The specification wants a verification message when a person with an unverified e-mail signs in. The
 * sign-in does not wait for the message.
 */
function remindToVerify(answer: unknown, { auth, inBackground }: AuthRouteOptions): void {
  const { user } = signedInSchema.parse(answer);
  if (!user.emailVerified) inBackground(auth.api.sendVerificationEmail({ body: { email: user.email } }));
}
