import { testDatabase } from '@homeport/store/testing';
import { expect, test } from 'vitest';
import { createSealer } from '../../sealing/sealer.ts';
import { sealer } from '../../testing/way-of-news.ts';
import { makePushKeys, readPushKeys, shownPushKey } from './push-keys.ts';

function deps(store: Awaited<ReturnType<typeof testDatabase>>['store'], with_ = sealer) {
  const warned: unknown[] = [];
  const log = { warn: (...words: unknown[]) => void warned.push(words) };
  return { ...{ store, sealer: with_, log, clock: Date.now }, warned };
}

test('replicas that start at once share one pair, whose private half is sealed', async () => {
  const database = await testDatabase();
  const { store } = database;
  await Promise.all([1, 2, 3].map(() => makePushKeys(deps(store))));
  const keys = await readPushKeys(deps(store));
  expect(keys?.publicKey).toBe(await shownPushKey(store));
  expect(Buffer.from(keys?.publicKey ?? '', 'base64url')).toHaveLength(65);
  const { d } = keys?.privateKey.export({ format: 'jwk' }) ?? {};
  const rows = await store.db.selectFrom('console_credentials').selectAll().execute();
  expect(rows).toHaveLength(1);
  expect(Buffer.from(rows[0]?.sealed ?? []).toString('latin1')).not.toContain(d);
  await makePushKeys(deps(store));
  expect(await shownPushKey(store), 'the next start keeps it').toBe(keys?.publicKey);
  await database.close();
});

test('a pair whose secret is lost is replaced at the next start, and nothing is signed before', async () => {
  const database = await testDatabase();
  const { store } = database;
  await makePushKeys(deps(store));
  const before = await shownPushKey(store);
  const another = deps(store, createSealer({ secret: 'another secret with 32 characters', previous: null }));
  expect(await readPushKeys(another)).toBeNull();
  await makePushKeys(another);
  expect(another.warned).toHaveLength(1);
  const after = await readPushKeys(another);
  expect(after?.publicKey).toBe(await shownPushKey(store));
  expect(after?.publicKey).not.toBe(before);
  await database.close();
});
