import type { SecurityEventKind } from '@homeport/contract/account/facts';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { noteSecurityEvent } from '../security-events/note-event.ts';
import { type Answered, type AuthRouteOptions, originOf } from './ask-library.ts';

/** The library's answer to everybody who is signed in now. */
export const signedInSchema = z.object({
  user: z.object({ id: z.uuid(), email: z.string(), emailVerified: z.boolean() }),
});

/** Makes this browser known to the account, and lists the sign-in among the security events. */
export async function letIn(
  kind: SecurityEventKind,
  { answer, cookies }: Answered,
  request: FastifyRequest,
  options: AuthRouteOptions,
): Promise<Answered> {
  const { id, email } = signedInSchema.parse(answer).user;
  note(kind, id, request, options);
  const known = await options.limits.signedIn({ email, cookies: request.headers.cookie });
  return { answer, cookies: [...cookies, known] };
}

/** The answer does not wait for the list of events. */
export function note(
  kind: SecurityEventKind,
  owner: string,
  request: FastifyRequest,
  { store, clock, inBackground }: AuthRouteOptions,
): void {
  inBackground(noteSecurityEvent(store.db, { owner, kind, from: originOf(request), at: clock() }));
}
