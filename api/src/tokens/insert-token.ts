import { randomBytes } from 'node:crypto';
import { type TokenKind, type TokenScope, tokenPrefix } from '@homeport/contract/tokens/facts';
import type { Database, OwnerWrite } from '@homeport/store';
import type { Selectable } from 'kysely';
import { refuseAbove } from '../http/ceiling.ts';
import { notifyChange } from '../live/notify-change.ts';
import { hashOfToken } from './bearer-token.ts';

type NewToken = {
  kind: TokenKind;
  name: string;
  scopes: readonly TokenScope[];
  /** Epoch milliseconds. */
  at: number;
  expiresAt: number;
  endsLatestAt: number | null;
  /** How many tokens one person may have. */
  most: number;
};

/** Makes a token in the transaction that admits it. The store keeps its hash, so only the answer of the caller holds it. */
export async function insertToken(
  scope: OwnerWrite,
  { kind, name, scopes, at, expiresAt, endsLatestAt, most }: NewToken,
): Promise<{ token: string; row: Selectable<Database['api_tokens']> }> {
  const token = tokenPrefix + randomBytes(32).toString('base64url');
  await refuseAbove(scope, 'tokens', most);
  const row = await scope.db
    .insertInto('api_tokens')
    .values({
      owner_id: scope.owner,
      ...{ kind, name },
      token_hash: hashOfToken(token),
      last_four: token.slice(-4),
      scopes: [...new Set(scopes)].sort(),
      created_at: at,
      expires_at: expiresAt,
      ends_latest_at: endsLatestAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await notifyChange(scope.db, scope.owner, 'tokens', row.id);
  return { token, row };
}
