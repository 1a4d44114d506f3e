import type { ApiToken } from '@homeport/contract/tokens/schema';
import type { Database, Owner, Store } from '@homeport/store';
import type { Selectable } from 'kysely';
import type { Locations } from '../location/locations.ts';

/** The person’s tokens, the newest first, with the expired ones. */
export async function listTokens(store: Store, locations: Locations, owner: Owner): Promise<ApiToken[]> {
  const rows = await store.read(owner, ({ db }) =>
    db
      .selectFrom('api_tokens')
      .selectAll()
      .where('owner_id', '=', owner)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .execute(),
  );
  return rows.map((row) => toApiToken(row, locations));
}

export function toApiToken(row: Selectable<Database['api_tokens']>, locations: Locations): ApiToken {
  const { last_used_from: address } = row;
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    lastFour: row.last_four,
    scopes: row.scopes,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    lastUsedFrom: address === null ? null : { address, place: locations.inWords(address) },
  };
}
