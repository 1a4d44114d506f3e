import { type OwnerRead, ownerFromSession, type Store } from '@homeport/store';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem } from '../problem.ts';

/** Names the person of a request's session. Null without a session. */
export type Identify = (
  request: FastifyRequest,
) => Promise<{ userId: string; sessionId: string } | null> | { userId: string; sessionId: string } | null;
export type StatsDeps = { store: Pick<Store, 'read'>; identify: Identify };

/** Answers for the signed-in person, or 401. */
export async function asOwner<T>(
  { store, identify }: StatsDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  fn: (scope: OwnerRead) => Promise<T>,
): Promise<T | FastifyReply> {
  const identity = await identify(request);
  if (!identity) return sendProblem(reply, 'not_signed_in', 'Sign in to see stats.');
  return store.read(ownerFromSession(identity.userId), fn);
}

export async function ownsApp({ owner, db }: OwnerRead, monitorId: string): Promise<boolean> {
  const row = await db
    .selectFrom('apps')
    .select('id')
    .where('owner_id', '=', owner)
    .where('monitor_id', '=', monitorId)
    .executeTakeFirst();
  return row !== undefined;
}

/** The owner's database with this id. */
export async function findDatabase(
  { owner, db }: OwnerRead,
  id: string,
): Promise<{ serverId: string; type: string; longname: string } | undefined> {
  return db
    .selectFrom('databases')
    .select(['server_id as serverId', 'type', 'longname'])
    .where('owner_id', '=', owner)
    .where('id', '=', id)
    .executeTakeFirst();
}
