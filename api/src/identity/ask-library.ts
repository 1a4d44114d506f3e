import type { Store } from '@homeport/store';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { GithubDeps } from '../github/account.ts';
import { ProblemError } from '../http/problem.ts';
import { tooManyTries } from '../http/too-many-tries.ts';
import type { EventOrigin } from '../security-events/note-event.ts';
import type { AccountLimits } from './account-limits.ts';
import { type Auth, addressHeader } from './auth.ts';
import type { EmailChangeDeps } from './email-change/email-change.ts';
import type { createPasswords } from './passwords.ts';
import type { PasskeySignIn } from './sign-in-with-passkey.ts';
import type { SignUpPolicy } from './sign-up-policy.ts';
import type { DisconnectGithub } from './ways-in/end-ways-in.ts';

export type AuthRouteOptions = {
  auth: Auth;
  store: Store;
  limits: AccountLimits;
  origin: string;
  github: GithubDeps;
  passkeys: PasskeySignIn;
  emailChanges: EmailChangeDeps;
  signUps: SignUpPolicy;
  passwords: ReturnType<typeof createPasswords>;
  inBackground: (work: Promise<unknown>) => void;
  disconnectGithub: DisconnectGithub;
  /** The key of a count of tries. */
  keyOf: (counted: string) => Buffer;
  /** Epoch milliseconds. */
  clock: () => number;
};

export type Answered = { answer: unknown; cookies: string[] };
export type Action = (request: FastifyRequest, url: string, options: AuthRouteOptions) => Promise<Answered>;

/** Asks the library, as the caller asked the console. */
export const askAsItIs: Action = (request, url, { origin, auth }) =>
  ask(toFetchRequest(request, url, origin), auth);

/** Throws the Problem for an answer that is not ok. */
export async function ask(request: Request, auth: Auth): Promise<Answered> {
  const response = await auth.handler(request);
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw toProblem(response, answer);
  // A loop over the headers would join several cookies into one line.
  return { answer, cookies: response.headers.getSetCookie() };
}

export function toFetchRequest(request: FastifyRequest, url: string, origin: string): Request {
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

/** What the library has to know of the caller. */
export function callerHeaders(request: FastifyRequest, origin: string): Headers {
  const headers = new Headers({ [addressHeader]: request.ip, origin, 'content-type': 'application/json' });
  for (const name of ['cookie', 'user-agent'] as const) {
    const value = request.headers[name];
    if (value !== undefined) headers.set(name, value);
  }
  return headers;
}

export const originOf = ({ ip, headers }: FastifyRequest): EventOrigin => ({
  address: ip,
  userAgent: headers['user-agent'],
});

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
