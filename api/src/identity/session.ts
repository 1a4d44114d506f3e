import type { SessionIdentity } from '@homeport/contract/services';
import type { Store } from '@homeport/store';
import { APIError } from 'better-auth/api';
import type { FastifyRequest } from 'fastify';
import { storeDoesNotAnswer } from '../http/store-problem.ts';
import type { Auth } from './auth.ts';
import { findLivingSession } from './living-session.ts';

export type FoundSession = {
  session: SessionIdentity;
  /** Set-Cookie lines when the session was prolonged; empty otherwise. */
  cookies: string[];
};

/** Checks the cookie of a request against the store. Returns null if nobody is signed in. */
export async function readSession(
  auth: Auth,
  store: Pick<Store, 'db'>,
  request: Pick<FastifyRequest, 'headers'>,
): Promise<FoundSession | null> {
  const { cookie } = request.headers;
  if (cookie === undefined) return null;
  const living = await findLivingSession(auth, store, cookie);
  if (living) return { session: living, cookies: [] };
  const { response, headers } = await auth.api
    .getSession({ headers: new Headers({ cookie }), returnHeaders: true })
    .catch((error: unknown) => {
      // The library hides the store's error behind an error 500 of its own.
      throw error instanceof APIError && error.statusCode === 500 ? storeDoesNotAnswer(error) : error;
    });
  if (!response) return null;
  const { user, session } = response;
  return {
    session: {
      userId: user.id,
      sessionId: session.id,
      name: user.name,
      email: user.email,
      emailVerified: user.emailVerified,
    },
    cookies: headers.getSetCookie(),
  };
}
