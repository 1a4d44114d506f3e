import type { FastifyRequest } from 'fastify';
import { bearerOf } from '../http/token-access.ts';
import { hashOfToken } from '../tokens/bearer-token.ts';
import { type CookieContext, signedToken } from './living-session.ts';

/** Names the caller that a request counts for, without asking the store. */
export type Callers = {
  /**
   * The person whose session the cookie names. If the person is not known yet, the session; without a
   * session, the address.
   */
  of(request: Pick<FastifyRequest, 'headers' | 'ip'>): string;
  /** Remembers whose session the cookie names. */
  note(request: Pick<FastifyRequest, 'headers'>, userId: string): void;
};

/**
 * Only the console can sign a token, so only sign-ins fill this map. The oldest tokens are forgotten first.
 */
const keptTokens = 10_000;

export function createCallers(context: CookieContext): Callers {
  const people = new Map<string, string>();
  const tokenOf = (request: Pick<FastifyRequest, 'headers'>) => {
    const bearer = bearerOf(request);
    if (bearer !== null) return hashOfToken(bearer).toString('base64');
    const { cookie } = request.headers;
    return cookie === undefined ? null : signedToken(cookie, context);
  };
  return {
    of(request) {
      const token = tokenOf(request);
      if (token === null) return request.ip;
      // Only the console signs a cookie, but anybody can invent an API token: an unknown one counts for its address.
      return people.get(token) ?? (bearerOf(request) === null ? token : request.ip);
    },
    note(request, userId) {
      const token = tokenOf(request);
      if (token === null || people.has(token)) return;
      people.set(token, userId);
      const [oldest] = people.keys();
      if (people.size > keptTokens && oldest !== undefined) people.delete(oldest);
    },
  };
}
