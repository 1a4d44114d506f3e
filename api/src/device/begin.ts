import {
  deviceCodesPerNetwork,
  deviceCodesTogether,
  deviceLifeSeconds,
  devicePollSeconds,
  shownUserCode,
} from '@homeport/contract/device/facts';
import { canonicalAddress } from '@homeport/contract/network/addresses';
import { customerNetwork, visitorNetwork } from '@homeport/contract/network/visitor-network';
import type { Database, Store } from '@homeport/store';
import { type Kysely, sql } from 'kysely';
import { tooManyTries } from '../http/too-many-tries.ts';
import { hashOfDevice, hashOfUser, makeDeviceCode, makeUserCode } from './codes.ts';

export type DeviceDeps = {
  store: Store;
  secret: string;
  publicUrl: string;
  clock: () => number;
  most: number;
};

/** A terminal asks for a sign-in. Anybody may, so the codes that wait have a share for each network and one for all. */
export async function beginDevice(
  { store, secret, publicUrl, clock }: DeviceDeps,
  { name, platform }: { name: string; platform: string },
  address: string,
) {
  const [device, user, now] = [makeDeviceCode(), makeUserCode(), clock()];
  // A socket for both families writes 192.0.2.1 as ::ffff:192.0.2.1.
  const plain = canonicalAddress(address) ?? address;
  const [network, customer_network] = [visitorNetwork(plain), customerNetwork(plain)];
  // Most of those who ask too often are refused here, and keep nobody waiting for the lock.
  refuseFull(await countWaiting(store.db, network, now));
  await store.db.transaction().execute(async (db) => {
    // One at a time, so that those who ask at once are counted, too.
    await sql`select pg_advisory_xact_lock(hashtextextended('homeport device codes', 0))`.execute(db);
    const waiting = await countWaiting(db, network, now);
    refuseFull(waiting);
    if (waiting.all >= deviceCodesTogether) await makeRoom(db, now);
    await db
      .insertInto('device_codes')
      .values({
        device_hash: hashOfDevice(device),
        user_hash: hashOfUser(secret, user),
        ...{ name, platform, address, network, customer_network },
        created_at: now,
        expires_at: now + deviceLifeSeconds * 1_000,
        interval_ms: devicePollSeconds * 1_000,
      })
      .execute();
  });
  return {
    device_code: device,
    user_code: shownUserCode(user),
    verification_uri: new URL('/device', publicUrl).href,
    interval: devicePollSeconds,
    expires_in: deviceLifeSeconds,
  };
}

type Waiting = { all: number; mine: number; untyped: number };

/** The codes that have not ended. Those that have are dropped by `dropStale`. */
async function countWaiting(db: Kysely<Database>, network: string, now: number): Promise<Waiting> {
  return db
    .selectFrom('device_codes')
    .select(({ fn }) => [
      fn.countAll<number>().as('all'),
      sql<number>`count(*) filter (where network = ${network})`.as('mine'),
      sql<number>`count(*) filter (where owner_id is null)`.as('untyped'),
    ])
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
}

/** A full table has room for whoever asks while nobody has typed some of its codes. */
function refuseFull({ all, mine, untyped }: Waiting): void {
  if (mine >= deviceCodesPerNetwork || (all >= deviceCodesTogether && untyped === 0))
    throw tooManyTries(deviceLifeSeconds, 'sign-ins of terminals wait');
}

/**
 * Removes the newest code of the customer with the most codes, so that whoever fills the table keeps out nobody but themselves. A code
 * that a person has typed stays.
 */
async function makeRoom(db: Kysely<Database>, now: number): Promise<void> {
  await db
    .deleteFrom('device_codes')
    .where('id', '=', (untyped) =>
      untyped
        .selectFrom('device_codes')
        .select('id')
        .where('owner_id', 'is', null)
        .where('expires_at', '>', now)
        .where('customer_network', '=', (most) =>
          most
            .selectFrom('device_codes')
            .select('customer_network')
            .where('owner_id', 'is', null)
            .where('expires_at', '>', now)
            .groupBy('customer_network')
            // Of equals the one that asked longest ago: whoever has just asked is about to type.
            .orderBy(({ fn }) => fn.countAll(), 'desc')
            .orderBy(({ fn }) => fn.max('created_at'))
            .limit(1),
        )
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(1),
    )
    // Its person may type it at this moment.
    .where('owner_id', 'is', null)
    .execute();
}
