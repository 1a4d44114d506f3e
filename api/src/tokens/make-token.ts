import type { SessionIdentity } from '@homeport/contract/services';
import type { ApiToken, MakeToken } from '@homeport/contract/tokens/schema';
import { ownerFromSession, type Store } from '@homeport/store';
import { holdSession } from '../confirmation/confirmed.ts';
import type { Locations } from '../location/locations.ts';
import { noteSecurityEvent } from '../security-events/note-event.ts';
import { insertToken } from './insert-token.ts';
import { toApiToken } from './list-tokens.ts';

const dayMs = 24 * 60 * 60_000;

/** Makes a token in the form of the profile page. The answer is the only place that ever holds it. */
export async function makeToken(
  {
    store,
    clock,
    locations,
    most,
  }: { store: Store; clock: () => number; locations: Locations; most: number },
  { userId, sessionId }: SessionIdentity,
  { kind, name, scopes, days }: MakeToken,
): Promise<{ token: string; record: ApiToken }> {
  const owner = ownerFromSession(userId);
  const at = clock();
  const { token, row } = await store.transact(owner, async (scope) => {
    await holdSession(scope, sessionId);
    const ends = { expiresAt: at + days * dayMs, endsLatestAt: null };
    const made = await insertToken(scope, { kind, name, scopes, at, most, ...ends });
    await noteSecurityEvent(scope.db, { owner, kind: 'token_made', subject: name, from: { sessionId }, at });
    return made;
  });
  return { token, record: toApiToken(row, locations) };
}
