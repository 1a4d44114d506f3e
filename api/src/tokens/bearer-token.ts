import { createHash } from 'node:crypto';
import { programCallLimits } from '@homeport/contract/program-calls/facts';
import type { SessionIdentity } from '@homeport/contract/services';
import { rulesOfKind, scopesForKind, tokenUseNotedEveryMs } from '@homeport/contract/tokens/facts';
import type { Database, Store } from '@homeport/store';
import type { Selectable } from 'kysely';
import { storeDoesNotAnswer } from '../http/store-problem.ts';

/** The store keeps this in place of a token. A token holds 256 random bits, so one round is enough. */
export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/**
 * Who a token speaks for, and what it may do. Null for a token that is unknown, revoked or expired. Its last use
 * is known to a minute, with the address.
 */
export async function findTokenHolder(
  { db }: Pick<Store, 'db'>,
  token: string,
  { now, address }: { now: number; address: string },
): Promise<SessionIdentity | null> {
  const row = await db
    .selectFrom('api_tokens as token')
    .innerJoin('auth.user as user', 'user.id', 'token.owner_id')
    .select(['token.id', 'token.owner_id', 'token.scopes', 'token.kind', 'token.last_used_at'])
    .select(['token.ends_latest_at', 'token.name as token_name', 'token.last_four'])
    .select(['user.name', 'user.email', 'user.emailVerified'])
    .where('token.token_hash', '=', hashOfToken(token))
    .where('token.expires_at', '>', now)
    .executeTakeFirst()
    .catch((error: unknown) => {
      throw storeDoesNotAnswer(error);
    });
  if (!row) return null;
  const { id, owner_id: userId, name, email, emailVerified, kind, scopes } = row;
  if ((row.last_used_at ?? 0) < now - tokenUseNotedEveryMs)
    await db
      .updateTable('api_tokens')
      .set({
        last_used_at: now,
        last_used_from: address.slice(0, programCallLimits.addressCharacters),
        ...endAfterUse(row, now),
      })
      .where('id', '=', id)
      .execute();
  return {
    ...{ userId, sessionId: id, name, email, emailVerified, kind, scopes: scopesForKind(kind, scopes) },
    token: { name: row.token_name, lastFour: row.last_four },
  };
}

type Ending = Pick<Selectable<Database['api_tokens']>, 'kind' | 'ends_latest_at'>;

/** When a token ends that was used now, where that depends on its use. */
function endAfterUse({ kind, ends_latest_at }: Ending, now: number): { expires_at?: number } {
  const { idleMs } = rulesOfKind[kind];
  return idleMs === null || ends_latest_at === null
    ? {}
    : { expires_at: Math.min(now + idleMs, ends_latest_at) };
}
