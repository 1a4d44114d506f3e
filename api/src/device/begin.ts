import {
  deviceCodesPerAddress,
  deviceCodesTogether,
  deviceLifeSeconds,
  devicePollSeconds,
  shownUserCode,
} from '@homeport/contract/device/facts';
import type { Store } from '@homeport/store';
import { sql } from 'kysely';
import { tooManyTries } from '../http/too-many-tries.ts';
import { hashOfDevice, hashOfUser, makeDeviceCode, makeUserCode } from './codes.ts';

export type DeviceDeps = {
  store: Store;
  secret: string;
  publicUrl: string;
  clock: () => number;
  most: number;
};

/** A terminal asks for a sign-in. Anybody may, so the codes that wait have a share for each address and one for all. */
export async function beginDevice(
  { store, secret, publicUrl, clock }: DeviceDeps,
  { name, platform }: { name: string; platform: string },
  address: string,
) {
  const [device, user, now] = [makeDeviceCode(), makeUserCode(), clock()];
  await store.db.transaction().execute(async (db) => {
    // One at a time, so that those who ask at once are counted, too.
    await sql`select pg_advisory_xact_lock(hashtextextended('homeport device codes', 0))`.execute(db);
    await db.deleteFrom('device_codes').where('expires_at', '<=', now).execute();
    const { mine, all } = await db
      .selectFrom('device_codes')
      .select(({ fn }) => [
        fn.countAll<number>().as('all'),
        sql<number>`count(*) filter (where address = ${address})`.as('mine'),
      ])
      .executeTakeFirstOrThrow();
    if (mine >= deviceCodesPerAddress || all >= deviceCodesTogether)
      throw tooManyTries(deviceLifeSeconds, 'sign-ins of terminals wait');
    await db
      .insertInto('device_codes')
      .values({
        device_hash: hashOfDevice(device),
        user_hash: hashOfUser(secret, user),
        ...{ name, platform, address },
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
