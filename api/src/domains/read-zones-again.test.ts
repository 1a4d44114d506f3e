import { zoneAskedAgainMs, zoneReadAgainMs } from '@homeport/contract/proxies/facts';
import { expect, test } from 'vitest';
import { createCloudflare } from '../cloudflare/client.ts';
import { createLimiter } from '../cloudflare/limiter.ts';
import { createSealer } from '../sealing/sealer.ts';
import { plantProxy } from '../testing/plant.ts';
import { readZonesAgain } from './read-zones-again.ts';
import { type CloudflareConsole, linkToken, startCloudflareConsole } from './testing/linked-zones.ts';

const secret = Buffer.alloc(32, 5).toString('base64');

/** A console's work with a clock of the test's own. */
const never = () => Promise.reject(new Error('No server has a name here.'));

function readingOf({ api, cloudflare }: CloudflareConsole) {
  let now = Date.now();
  const clock = () => now;
  const deps = {
    ...{ store: api.store, sealer: createSealer({ secret, previous: null }), clock },
    ...{ cloudflare: createCloudflare({ baseUrl: cloudflare.url, limiter: createLimiter(clock) }) },
    ...{ appDomain: null, proxyHost: null, addresses: { of: never, ofEach: never } },
  };
  const failures: unknown[] = [];
  const account = () =>
    api.store.db.selectFrom('linked_accounts').select(['checked_at', 'problem']).executeTakeFirstOrThrow();
  return {
    failures,
    account,
    async after(ms: number) {
      now += ms;
      const before = (await cloudflare.exchanges()).length;
      await readZonesAgain(deps, (error) => failures.push(error), new AbortController().signal);
      return (await cloudflare.exchanges()).length - before;
    },
  };
}

test('the zones of somebody with a proxy are read again by themselves, and a lost zone is forgotten', async () => {
  await using console = await startCloudflareConsole({ secret });
  const { cloudflare, ines, api } = console;
  await cloudflare.addZone('kept.example');
  await linkToken(console, ines);
  await api.store.db.updateTable('zones').set({ name: 'sold.example' }).execute();
  const reading = readingOf(console);
  // Nobody asks for zones that prove nothing.
  expect(await reading.after(zoneReadAgainMs)).toBe(0);
  await plantProxy(api.store.db, ines.userId);
  expect(await reading.after(0)).toBe(1);
  expect(await api.store.db.selectFrom('zones').select('name').execute()).toEqual([{ name: 'kept.example' }]);
  expect(await reading.after(zoneReadAgainMs - 1)).toBe(0);
  expect(await reading.after(1)).toBe(1);
  expect(reading.failures).toEqual([]);
});

test('a revoked credential is asked once an hour, is noted for its person and renews no proof', async () => {
  await using console = await startCloudflareConsole({ secret });
  const { cloudflare, ines, api } = console;
  await cloudflare.addZone('sold.example');
  const token = await linkToken(console, ines);
  await plantProxy(api.store.db, ines.userId);
  const reading = readingOf(console);
  const before = await reading.account();
  await cloudflare.revoke(token);
  expect(await reading.after(zoneReadAgainMs)).toBe(1);
  expect(await reading.account()).toEqual({ checked_at: before.checked_at, problem: expect.any(String) });
  expect(await reading.after(zoneAskedAgainMs - 1)).toBe(0);
  expect(await reading.after(1)).toBe(1);
  expect(reading.failures).toEqual([]);
});
