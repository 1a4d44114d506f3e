import type { FastifyRequest } from 'fastify';
import { type CookieContext, signedToken } from './living-session.ts';

/** Whom a request counts for, before anything is asked of the store. */
export type Callers = {
  /** The person whose session the cookie names; its session, where the person is not known yet; else the address. */
  of(request: Pick<FastifyRequest, 'headers' | 'ip'>): string;
  /** Keeps whose session it was. */
  note(request: Pick<FastifyRequest, 'headers'>, userId: string): void;
};

/** Nobody but the console can sign a token, so only sign-ins fill this. The oldest are forgotten first. */
const keptTokens = 10_000;

export function createCallers(context: CookieContext): Callers {
  const people = new Map<string, string>();
  const tokenOf = ({ headers }: Pick<FastifyRequest, 'headers'>) =>
    headers.cookie === undefined ? null : signedToken(headers.cookie, context);
  return {
    of(request) {
      const token = tokenOf(request);
      return token === null ? request.ip : (people.get(token) ?? token);
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
