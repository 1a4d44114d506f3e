import {
  devicePollMostSeconds,
  devicePollSeconds,
  terminalDays,
  terminalScopes,
} from '@homeport/contract/device/facts';
import type { DeviceAnswer } from '@homeport/contract/device/schema';
import { rulesOfKind } from '@homeport/contract/tokens/facts';
import { ownerFromSession } from '@homeport/store';
import { holdAccount } from '../records/account-lock.ts';
import { insertToken } from '../tokens/insert-token.ts';
import type { DeviceDeps } from './begin.ts';
import { hashOfDevice } from './codes.ts';

const dayMs = 24 * 60 * 60_000;

/** A terminal asks whether its person has approved. The token is made at this moment, so nothing ever holds it but this answer. */
export async function collectToken(
  { store, clock, most }: DeviceDeps,
  deviceCode: string,
): Promise<DeviceAnswer> {
  const now = clock();
  const hash = hashOfDevice(deviceCode);
  const row = await store.db
    .selectFrom('device_codes')
    .select(['id', 'owner_id', 'state', 'polled_at', 'interval_ms'])
    .where('device_hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (!row) return { state: 'expired_token' };
  if (row.state === 'open') {
    const isEarly = row.polled_at !== null && now - row.polled_at < row.interval_ms;
    const slower = Math.min(row.interval_ms + devicePollSeconds * 1_000, devicePollMostSeconds * 1_000);
    await store.db
      .updateTable('device_codes')
      .set({ polled_at: now, ...(isEarly && { interval_ms: slower }) })
      .where('id', '=', row.id)
      .execute();
    return { state: isEarly ? 'slow_down' : 'authorization_pending' };
  }
  if (row.state === 'declined' || row.owner_id === null) return { state: 'access_denied' };
  const owner = ownerFromSession(row.owner_id);
  return store.transact(owner, async (scope) => {
    // What ends the ways into the account waits for this transaction and finds the token, or this one finds the row gone.
    const account = await holdAccount(scope);
    // Whoever deletes the row has the token. A second terminal with the same code comes too late.
    const used = await scope.db
      .deleteFrom('device_codes')
      .where('id', '=', row.id)
      .where('owner_id', '=', owner)
      .where('state', '=', 'approved')
      .where('expires_at', '>', now)
      .returning('name')
      .executeTakeFirst();
    if (!used || !account) return { state: 'expired_token' };
    const endsAt = now + terminalDays * dayMs;
    const { idleMs } = rulesOfKind.terminal;
    const { token, row: made } = await insertToken(scope, {
      kind: 'terminal',
      ...{ name: used.name, scopes: terminalScopes, at: now, most },
      expiresAt: idleMs === null ? endsAt : Math.min(endsAt, now + idleMs),
      endsLatestAt: endsAt,
    });
    return { state: 'approved', access_token: token, expiresAt: made.expires_at, account: account.email };
  });
}
