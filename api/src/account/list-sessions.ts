import type { SignIn } from '@homeport/contract/account/schema';
import type { SessionIdentity } from '@homeport/contract/services';
import type { Store } from '@homeport/store';
import type { Locations } from '../location/locations.ts';
import { deviceInWords } from '../security-events/device-in-words.ts';

/** The person’s living sign-ins, the one in use last first. */
export async function listSessions(
  { store, locations, clock }: { store: Store; locations: Locations; clock: () => number },
  { userId, sessionId }: SessionIdentity,
): Promise<SignIn[]> {
  const rows = await store.db
    .selectFrom('auth.session')
    .select(['id', 'ipAddress', 'userAgent', 'createdAt', 'updatedAt', 'expiresAt'])
    .where('userId', '=', userId)
    .where('expiresAt', '>', new Date(clock()))
    .orderBy('updatedAt', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(({ id, ipAddress, userAgent, createdAt, updatedAt, expiresAt }) => ({
    id,
    current: id === sessionId,
    device: deviceInWords(userAgent),
    address: ipAddress === '' ? null : ipAddress,
    place: locations.inWords(ipAddress),
    signedInAt: createdAt.getTime(),
    lastUsedAt: updatedAt.getTime(),
    expiresAt: expiresAt.getTime(),
  }));
}
