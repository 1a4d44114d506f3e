import { createHmac } from 'node:crypto';
import { deviceTypedPerMinute, terminalScopes } from '@homeport/contract/device/facts';
import type { DeviceRequest } from '@homeport/contract/device/schema';
import type { SessionIdentity } from '@homeport/contract/services';
import { ownerFromSession } from '@homeport/store';
import { holdSession } from '../confirmation/confirmed.ts';
import { refuseAbove } from '../http/ceiling.ts';
import { ProblemError } from '../http/problem.ts';
import { tooManyTries } from '../http/too-many-tries.ts';
import { takeAttempt } from '../identity/waiting/attempts.ts';
import { noteSecurityEvent } from '../security-events/note-event.ts';
import type { DeviceDeps } from './begin.ts';
import { hashOfUser } from './codes.ts';

/** Right codes are counted, too: whoever guesses comes by right ones easily. A guess among 25,600,000,000 codes is hopeless long before. */
const typedRule = { free: deviceTypedPerMinute, withinMs: 60_000 };

/**
 * The request of a typed code. It belongs to the first person who types the code: nobody decides by an id that somebody else was
 * shown.
 */
export async function lookAtDevice(
  { store, secret, clock }: DeviceDeps,
  { userId }: SessionIdentity,
  code: string,
): Promise<DeviceRequest> {
  const now = clock();
  const key = createHmac('sha256', secret).update(`homeport device codes\0${userId}`).digest();
  const seconds = await takeAttempt(store, key, typedRule, now);
  if (seconds > 0) throw tooManyTries(seconds, 'codes');
  const owner = ownerFromSession(userId);
  const row = await store.db
    .updateTable('device_codes')
    .set({ owner_id: owner })
    .where('user_hash', '=', hashOfUser(secret, code))
    .where('expires_at', '>', now)
    .where('state', '=', 'open')
    .where((eb) => eb.or([eb('owner_id', 'is', null), eb('owner_id', '=', owner)]))
    .returning(['id', 'name', 'platform', 'address', 'created_at', 'expires_at'])
    .executeTakeFirst();
  if (!row) throw noSuchCode();
  const { id, name, platform, address, created_at: requestedAt, expires_at: expiresAt } = row;
  return { id, name, platform, address, requestedAt, expiresAt, scopes: [...terminalScopes] };
}

/** Approves a request that this person was shown. The terminal makes the token when it asks next. */
export async function approveDevice(
  { store, clock, most }: DeviceDeps,
  { userId, sessionId }: SessionIdentity,
  id: string,
): Promise<void> {
  const owner = ownerFromSession(userId);
  const at = clock();
  await store.transact(owner, async (scope) => {
    await holdSession(scope, sessionId);
    await refuseAbove(scope, 'tokens', most);
    const row = await decided(scope.db, { owner, id, state: 'approved', at });
    // A stranger chose the name. In a mail the marks say where it ends.
    const subject = `“${row.name}”, ${row.address}`;
    await noteSecurityEvent(scope.db, {
      owner,
      kind: 'terminal_signed_in',
      subject,
      from: { sessionId },
      at,
    });
  });
}

export async function declineDevice(
  { store, clock }: DeviceDeps,
  { userId }: SessionIdentity,
  id: string,
): Promise<void> {
  const owner = ownerFromSession(userId);
  const at = clock();
  await store.transact(owner, async ({ db }) => {
    await decided(db, { owner, id, state: 'declined', at });
  });
}

type Decision = { owner: string; id: string; state: 'approved' | 'declined'; at: number };

async function decided(db: DeviceDeps['store']['db'], { owner, id, state, at }: Decision) {
  const row = await db
    .updateTable('device_codes')
    .set({ state })
    .where('id', '=', id)
    .where('owner_id', '=', owner)
    .where('state', '=', 'open')
    .where('expires_at', '>', at)
    .returning(['name', 'address'])
    .executeTakeFirst();
  if (!row) throw noSuchCode();
  return row;
}

const noSuchCode = () =>
  new ProblemError('not_found', 'No terminal waits with this code.', {
    recovery:
      'Compare the code with the terminal. It ends ten minutes after the terminal showed it: run `homeport login` again.',
  });
