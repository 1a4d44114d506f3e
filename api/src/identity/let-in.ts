import type { SecurityEventKind } from '@homeport/contract/account/facts';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { noteSecurityEvent } from '../security-events/note-event.ts';
import { type Answered, type AuthRouteOptions, originOf } from './ask-library.ts';

/** The library's answer to everybody who is signed in now. */
export const signedInSchema = z.object({
  user: z.object({ id: z.uuid(), email: z.string(), emailVerified: z.boolean() }),
});

/**
 * Makes this browser known to the account, and lists the sign-in among the security events. One from a browser that was not known is
 * mailed, however it proved itself: nothing else tells a person that somebody has their password and reads along.
 */
export async function letIn(
  kind: SecurityEventKind,
  { answer, cookies }: Answered,
  request: FastifyRequest,
  options: AuthRouteOptions,
): Promise<Answered> {
  const { id, email } = signedInSchema.parse(answer).user;
  const caller = { email, cookies: request.headers.cookie };
  const isNewBrowser = kind !== 'signed_up' && !options.limits.knows(caller);
  if (!isNewBrowser || kind !== 'signed_in') note(kind, id, request, options);
  if (isNewBrowser) note('new_browser_signed_in', id, request, options);
  const known = await options.limits.signedIn(caller);
  return { answer, cookies: [...cookies, known] };
}

/** The answer does not wait for the list of events. An event and its message are kept together. */
export function note(
  kind: SecurityEventKind,
  owner: string,
  request: FastifyRequest,
  { store, clock, inBackground }: AuthRouteOptions,
): void {
  const event = { owner, kind, from: originOf(request), at: clock() };
  inBackground(store.db.transaction().execute((db) => noteSecurityEvent(db, event)));
}
