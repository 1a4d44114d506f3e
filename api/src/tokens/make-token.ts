import { randomBytes } from 'node:crypto';
import type { SessionIdentity } from '@homeport/contract/services';
import { tokenPrefix } from '@homeport/contract/tokens/facts';
import type { ApiToken, MakeToken } from '@homeport/contract/tokens/schema';
import { ownerFromSession, type Store } from '@homeport/store';
import { holdSession } from '../confirmation/confirmed.ts';
import { refuseAbove } from '../http/ceiling.ts';
import { notifyChange } from '../live/notify-change.ts';
import { noteSecurityEvent } from '../security-events/note-event.ts';
import { hashOfToken } from './bearer-token.ts';
import { toApiToken } from './list-tokens.ts';

const dayMs = 24 * 60 * 60_000;

/** Makes a token. The answer is the only place that ever holds it: the store keeps its hash. */
export async function makeToken(
  { store, clock, most }: { store: Store; clock: () => number; most: number },
  { userId, sessionId }: SessionIdentity,
  { name, scopes, days }: MakeToken,
): Promise<{ token: string; record: ApiToken }> {
  const owner = ownerFromSession(userId);
  const token = tokenPrefix + randomBytes(32).toString('base64url');
  const at = clock();
  const row = await store.transact(owner, async (scope) => {
    await holdSession(scope.db, sessionId);
    await refuseAbove(scope, 'tokens', most);
    const made = await scope.db
      .insertInto('api_tokens')
      .values({
        owner_id: owner,
        name,
        token_hash: hashOfToken(token),
        last_four: token.slice(-4),
        scopes: [...new Set(scopes)].sort(),
        created_at: at,
        expires_at: at + days * dayMs,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await noteSecurityEvent(scope.db, { owner, kind: 'token_made', subject: name, from: { sessionId }, at });
    await notifyChange(scope.db, owner, 'tokens', made.id);
    return made;
  });
  return { token, record: toApiToken(row) };
}
