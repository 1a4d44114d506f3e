import { readOnlyTexts } from '@homeport/contract/servers/closed';
import type { Server } from '@homeport/contract/servers/schema';
import type { SigningKeys } from '@homeport/signer/key-types';
import type { QueryClient } from '@tanstack/react-query';
import { apiQuery } from '../data/api-query.ts';
import { sessionQuery } from '../data/session.ts';
import type { HeldKey } from '../keys/keystore/held-key.ts';
import { findHeldKey } from '../keys/keystore/keystore.ts';
import { usableKeys } from '../keys/keystore/unlocked-keys.ts';
import type { Credential } from './agent-socket.ts';
import { declined, type FailedState, failed } from './opening-state.ts';

export type Unlock = (held: HeldKey, pepper: string) => Promise<SigningKeys | null>;

/**
 * The credential that this browser has for the server: a password, or the key that this browser holds. A
 * locked key calls `unlock`. If `unlock` is null, nobody is asked. Fails as `key_missing`, `declined` or
 * `not_signed_in`.
 */
export async function chooseCredential(
  client: QueryClient,
  server: Pick<Server, 'credential'>,
  unlock: Unlock | null,
): Promise<Credential | FailedState> {
  if (server.credential === null) return failed('key_missing', readOnlyTexts.connect);
  if (server.credential === 'password') return { method: 'password' };
  const session = await client.ensureQueryData(sessionQuery);
  if (!session) return failed('not_signed_in', 'Sign in and try again.');
  const held = await findHeldKey(session.user.id, server.credential);
  if (!held) return failed('key_missing', keyMissing(await keyName(client, server.credential)));
  const usable = usableKeys(held);
  if (usable) return { method: 'agent', keys: usable, publicKey: held.blob };
  if (!unlock) return declined();
  const { pepper } = await client.ensureQueryData(apiQuery('GET /api/profile'));
  const keys = await unlock(held, pepper);
  return keys ? { method: 'agent', keys, publicKey: held.blob } : declined();
}

export const keyMissing = (name: string) =>
  `This browser does not hold the key ${name}: import it, or add a new one.`;

async function keyName(client: QueryClient, id: string): Promise<string> {
  const keys = await client.ensureQueryData(apiQuery('GET /api/keys')).catch(() => []);
  return keys.find((key) => key.id === id)?.name ?? id;
}
