import type { RouteSchemas } from '@homeport/contract/route';
import type { SessionIdentity } from '@homeport/contract/services';
import { ProblemError } from './problem.ts';

/** @throws ProblemError if the caller may not call the route. */
export async function checkAccess(
  route: RouteSchemas,
  session: SessionIdentity | null,
  isOwner: (userId: string) => Promise<boolean>,
): Promise<void> {
  if (route.access === 'anyone') return;
  if (!session) throw new ProblemError('not_signed_in', 'You are not signed in.');
  if (route.access === 'owner' && !(await isOwner(session.userId)))
    throw new ProblemError('not_allowed', 'Only the owner of this console may see this.');
}
