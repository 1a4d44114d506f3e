import type { SecurityEventKind } from '@homeport/contract/account/facts';
import type { RouteSchemas } from '@homeport/contract/route';
import type { Store } from '@homeport/store';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { z } from 'zod';
import type { GithubDeps } from '../github/account.ts';
import { bodyLimitBytes } from '../http/log.ts';
import { ProblemError } from '../http/problem.ts';
import { noteSecurityEvent } from '../security-events/note-event.ts';
import { type AccountLimits, accountOfResetToken } from './account-limits.ts';
import { type Auth, addressHeader, provenAddressHeader } from './auth.ts';
import { type AuthKey, authTable } from './auth-table.ts';
import { beginSignIn, finishSignIn } from './sign-in-with-github.ts';
import type { SignUpPolicy } from './sign-up-policy.ts';
import { tooManyTries } from './too-many-tries.ts';

type Options = {
  auth: Auth;
  store: Store;
  limits: AccountLimits;
  origin: string;
  github: GithubDeps;
  signUps: SignUpPolicy;
  inBackground: (work: Promise<unknown>) => void;
  /** Epoch milliseconds. */
  clock: () => number;
};

/**
 * Mounts the open routes of better-auth on Fastify. The library takes and returns requests of the Fetch
 * standard.
 */
export function mountAuth(
  scope: FastifyInstance,
  guard: onRequestAsyncHookHandler[],
  options: Options,
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

type Answered = { answer: unknown; cookies: string[] };
type Action = (request: FastifyRequest, url: string, options: Options) => Promise<Answered>;

/** The routes where the console does more than the library. */
const actions: Partial<Record<AuthKey, Action>> = {
  'POST /api/auth/sign-up/email': async (request, url, options) => {
    const answered = await signUp(request, url, options);
    note('signed_up', answered.answer, request, options);
    return letIn(answered, request, options);
  },
  'POST /api/auth/sign-in/email': signIn,
  'POST /api/auth/sign-in/github/begin': async (request, _url, { github }) => {
    const { url, cookie } = await beginSignIn(github, visitorOf(request));
    return { answer: { url }, cookies: [cookie] };
  },
  'POST /api/auth/sign-in/github': signInWithGithub,
  'POST /api/auth/reset-password': resetPassword,
};

const askAsItIs: Action = (request, url, { origin, auth }) => ask(toFetchRequest(request, url, origin), auth);

/** Throws the Problem for an answer that is not ok. */
async function ask(request: Request, auth: Auth): Promise<Answered> {
  const response = await auth.handler(request);
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw toProblem(response, answer);
  // A loop over the headers would join several cookies into one line.
  return { answer, cookies: response.headers.getSetCookie() };
}

function signUp(request: FastifyRequest, url: string, options: Options): Promise<Answered> {
  const { email, invitation } = authTable['POST /api/auth/sign-up/email'].body.parse(request.body);
  return options.signUps.admit({ email, invitation }, (addressProven) => {
    const asked = toFetchRequest(request, url, options.origin);
    if (addressProven) asked.headers.set(provenAddressHeader, 'yes');
    return ask(asked, options.auth);
  });
}

async function signIn(request: FastifyRequest, url: string, options: Options): Promise<Answered> {
  const answered = await askAsItIs(request, url, options).catch((error: unknown) => {
    if (error instanceof ProblemError && error.code === 'not_signed_in') noteFailure(request, options);
    throw error;
  });
  remindToVerify(answered.answer, options);
  note('signed_in', answered.answer, request, options);
  return letIn(answered, request, options);
}

async function signInWithGithub(request: FastifyRequest, _url: string, options: Options): Promise<Answered> {
  const { code, state, invitation } = authTable['POST /api/auth/sign-in/github'].body.parse(request.body);
  const asked = { ...visitorOf(request), code, state, invitation };
  const { userId, isNew, cookie } = await finishSignIn(options.github, options.signUps, asked);
  const { response, headers } = await options.auth.api.enter({
    body: { userId },
    headers: callerHeaders(request, options.origin),
    returnHeaders: true,
  });
  const entered = { answer: response, cookies: [...headers.getSetCookie(), cookie] };
  note(isNew ? 'signed_up' : 'signed_in', response, request, options);
  return letIn(entered, request, options);
}

const visitorOf = ({ ip, headers }: FastifyRequest) => ({ address: ip, cookies: headers.cookie });

const originOf = ({ ip, headers }: FastifyRequest) => ({ address: ip, userAgent: headers['user-agent'] });

/** The answer does not wait for the list of events. */
function note(kind: SecurityEventKind, answer: unknown, request: FastifyRequest, options: Options): void {
  const { id: owner } = signedInSchema.parse(answer).user;
  const event = { owner, kind, from: originOf(request), at: options.clock() };
  options.inBackground(noteSecurityEvent(options.store.db, event));
}

/** In the background, so that the answer takes as long for an address without an account. */
function noteFailure(request: FastifyRequest, { store, clock, inBackground }: Options): void {
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

/** Makes this browser known to the account. */
async function letIn(
  { answer, cookies }: Answered,
  request: FastifyRequest,
  { limits }: Options,
): Promise<Answered> {
  const { email } = signedInSchema.parse(answer).user;
  return { answer, cookies: [...cookies, await limits.signedIn({ email, cookies: request.headers.cookie })] };
}

/** Reads first whose token it is: setting the password uses the token up, and the answer names nobody. */
async function resetPassword(request: FastifyRequest, url: string, options: Options): Promise<Answered> {
  const { token } = authTable['POST /api/auth/reset-password'].body.parse(request.body);
  const account = await accountOfResetToken(options.store, token);
  const { answer, cookies } = await askAsItIs(request, url, options);
  if (account === null) return { answer, cookies };
  const { id: owner, email } = account;
  const event = { owner, kind: 'password_reset', from: originOf(request), at: options.clock() } as const;
  options.inBackground(noteSecurityEvent(options.store.db, event));
  const known = await options.limits.passwordSet({ email, cookies: request.headers.cookie });
  return { answer, cookies: [...cookies, known] };
}

function toFetchRequest(request: FastifyRequest, url: string, origin: string): Request {
  const headers = callerHeaders(request, origin);
  if (url === '/auth/verify-email') {
    // The library takes this request by GET, as a link. Our route changes something, so it is a POST with the
    // token in its body.
    const { token } = request.body as { token: string };
    return new Request(`${origin}/api/auth/verify-email?${new URLSearchParams({ token })}`, { headers });
  }
  return new Request(`${origin}/api${url}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(request.body ?? {}),
  });
}

function callerHeaders(request: FastifyRequest, origin: string): Headers {
  const headers = new Headers({ [addressHeader]: request.ip, origin, 'content-type': 'application/json' });
  for (const name of ['cookie', 'user-agent'] as const) {
    const value = request.headers[name];
    if (value !== undefined) headers.set(name, value);
  }
  return headers;
}

const signedInSchema = z.object({
  user: z.object({ id: z.uuid(), email: z.string(), emailVerified: z.boolean() }),
});

/**
 * The specification wants a verification message when a person with an unverified e-mail signs in. The
 * sign-in does not wait for the message.
 */
function remindToVerify(answer: unknown, { auth, inBackground }: Options): void {
  const { user } = signedInSchema.parse(answer);
  if (!user.emailVerified) inBackground(auth.api.sendVerificationEmail({ body: { email: user.email } }));
}

const failureSchema = z.object({ code: z.string().optional(), message: z.string().optional() });

/** The library's error codes that concern one field, with the name of that field. */
const fieldOf: Partial<Record<string, string>> = {
  INVALID_EMAIL: 'email',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'email',
  INVALID_PASSWORD: 'password',
  PASSWORD_TOO_SHORT: 'password',
  PASSWORD_TOO_LONG: 'password',
};

function toProblem(response: Response, answer: unknown): ProblemError {
  const { code = '', message = 'The console could not do this. Nothing was changed.' } =
    failureSchema.safeParse(answer).data ?? {};
  if (response.status === 429) {
    return tooManyTries(Number(response.headers.get('x-retry-after') ?? 60));
  }
  if (response.status >= 500) return new ProblemError('unavailable', message);
  if (code === 'TOKEN_EXPIRED' || code === 'INVALID_TOKEN') {
    return new ProblemError('invalid_input', 'This link has expired or has been used.', {
      recovery: 'Ask for a new message and open its link.',
    });
  }
  if (code === 'INVALID_EMAIL_OR_PASSWORD') {
    return new ProblemError('not_signed_in', 'The e-mail address or the password is wrong.', {
      recovery: 'Check both, or set a new password.',
    });
  }
  const field = fieldOf[code];
  const details = field === undefined ? {} : { fields: { [field]: message } };
  const isTaken = code === 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL';
  return new ProblemError(isTaken ? 'conflict' : 'invalid_input', message, details);
}
