import { testDatabase } from '@homeport/store/testing';
import { expect, test } from 'vitest';
import { sealAgain } from '../../sealing/seal-again.ts';
import { createSealer, type Sealer } from '../../sealing/sealer.ts';
import { makePushKeys, readPushKeys } from './push-keys.ts';

const secretOf = (letter: string) => letter.repeat(32);
const sealerOf = (letter: string, previous?: string) =>
  createSealer({ secret: secretOf(letter), previous: previous === undefined ? null : secretOf(previous) });

async function startKeys() {
  const database = await testDatabase();
  const { store } = database;
  const warned: unknown[] = [];
  const log = { warn: (...words: unknown[]) => void warned.push(words) };
  let now = 0;
  /** A start of a console with this secret. Returns its public key. */
  const start = async (sealer: Sealer) => {
    await sealAgain(store, sealer, log);
    await makePushKeys({ store, sealer, log, clock: () => (now += 1) });
    return (await readPushKeys({ store, sealer }))?.publicKey;
  };
  return { store, warned, start, [Symbol.asyncDispose]: () => database.close() };
}

test('replicas that start at once share one pair, whose private half is sealed', async () => {
  await using keys = await startKeys();
  const sealer = sealerOf('a');
  const [first, ...others] = await Promise.all([1, 2, 3].map(() => keys.start(sealer)));
  expect(Buffer.from(first ?? '', 'base64url')).toHaveLength(65);
  expect(new Set(others)).toEqual(new Set([first]));
  const pair = await readPushKeys({ store: keys.store, sealer });
  const rows = await keys.store.db.selectFrom('console_credentials').selectAll().execute();
  expect(rows).toHaveLength(1);
  expect(Buffer.from(rows[0]?.sealed ?? []).toString('latin1')).not.toContain(
    pair?.privateKey.export({ format: 'jwk' }).d,
  );
  expect(await keys.start(sealer), 'the next start keeps it').toBe(first);
});

test('a start with a wrong secret takes nothing: with the right one the pair is there again', async () => {
  await using keys = await startKeys();
  const first = await keys.start(sealerOf('a'));
  const wrong = await keys.start(sealerOf('b'));
  expect(wrong).not.toBe(first);
  expect(keys.warned.length).toBeGreaterThan(0);
  expect(await keys.start(sealerOf('b')), 'each secret has one').toBe(wrong);
  expect(await keys.start(sealerOf('a'))).toBe(first);
});

test('a replaced secret keeps the pair', async () => {
  await using keys = await startKeys();
  const first = await keys.start(sealerOf('a'));
  expect(await keys.start(sealerOf('b', 'a'))).toBe(first);
  expect(await keys.start(sealerOf('b'))).toBe(first);
});
