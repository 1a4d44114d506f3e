import { randomUUID } from 'node:crypto';
import { type TestDatabase, testDatabase } from '@homeport/store/testing';
import pino from 'pino';
import { expect, test } from 'vitest';
import { sealAgain } from './seal-again.ts';
import { createSealer, SealBroken, type Sealer, type SealPlace } from './sealer.ts';

const first = 'a first secret of the console, of some length';
const second = 'a second secret of the console, of some length';
const word = 'cfut_the-word-that-nobody-may-read';
const ines: SealPlace = { ownerId: randomUUID(), purpose: 'cloudflare' };
const read = (sealer: Sealer, place: SealPlace, sealed: Uint8Array) =>
  sealer.open(place, sealed, (secret) => secret.toString());

test('opens what it sealed, after a restart too', async () => {
  const sealed = createSealer({ secret: first, previous: null }).seal(ines, Buffer.from(word));
  expect(sealed.includes(word)).toBe(false);
  expect(await read(createSealer({ secret: first, previous: null }), ines, sealed)).toBe(word);
});

test('never seals the same secret to the same bytes', () => {
  const sealer = createSealer({ secret: first, previous: null });
  expect(sealer.seal(ines, Buffer.from(word))).not.toEqual(sealer.seal(ines, Buffer.from(word)));
});

test('opens nothing in another person’s row, or for another purpose', async () => {
  const sealer = createSealer({ secret: first, previous: null });
  const sealed = sealer.seal(ines, Buffer.from(word));
  await expect(read(sealer, { ...ines, ownerId: randomUUID() }, sealed)).rejects.toThrow(SealBroken);
  await expect(read(sealer, { ...ines, purpose: 'github' }, sealed)).rejects.toThrow(SealBroken);
});

test('opens nothing of which any byte was changed, and nothing that was cut', async () => {
  const sealer = createSealer({ secret: first, previous: null });
  const sealed = sealer.seal(ines, Buffer.from(word));
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    await expect(read(sealer, ines, changed)).rejects.toThrow(SealBroken);
    await expect(read(sealer, ines, sealed.subarray(0, at))).rejects.toThrow(SealBroken);
  }
});

test('overwrites the opened secret, also when its use fails', async () => {
  const sealer = createSealer({ secret: first, previous: null });
  const sealed = sealer.seal(ines, Buffer.from(word));
  const held: Buffer[] = [];
  await sealer.open(ines, sealed, (secret) => held.push(secret));
  const failing = sealer.open(ines, sealed, (secret) => {
    held.push(secret);
    throw new Error('no network');
  });
  await expect(failing).rejects.toThrow('no network');
  expect(held.map((secret) => secret.every((byte) => byte === 0))).toEqual([true, true]);
});

test('after a rotation the previous secret opens, and seals nothing new', async () => {
  const old = createSealer({ secret: first, previous: null }).seal(ines, Buffer.from(word));
  const rotated = createSealer({ secret: second, previous: first });
  expect(await read(rotated, ines, old)).toBe(word);
  const renewed = rotated.seal(ines, Buffer.from(word));
  expect(await read(createSealer({ secret: second, previous: null }), ines, renewed)).toBe(word);
  await expect(read(createSealer({ secret: second, previous: null }), ines, old)).rejects.toThrow(
    'unknown key',
  );
});

test('a start after a rotation seals every credential again, and leaves alone what it cannot open', async () => {
  await using database = await testDatabase();
  const { db } = database.store;
  const place = { ownerId: await plantPerson(database, 'ines'), purpose: 'cloudflare' };
  const lost = { ownerId: await plantPerson(database, 'omar'), purpose: 'cloudflare' };
  await plantAccount(database, place, createSealer({ secret: first, previous: null }));
  const unknown = 'a secret that nobody remembers any more at all';
  const kept = await plantAccount(database, lost, createSealer({ secret: unknown, previous: null }));

  await sealAgain(
    database.store,
    createSealer({ secret: second, previous: first }),
    pino({ enabled: false }),
  );

  const rows = await db.selectFrom('linked_accounts').select(['owner_id', 'sealed']).execute();
  const sealedOf = (id: string) => rows.find(({ owner_id }) => owner_id === id)?.sealed ?? Buffer.alloc(0);
  const later = createSealer({ secret: second, previous: null });
  expect(await read(later, place, sealedOf(place.ownerId))).toBe(word);
  expect(sealedOf(lost.ownerId)).toEqual(kept);
});

async function plantPerson({ store }: TestDatabase, name: string): Promise<string> {
  const { id } = await store.db
    .insertInto('auth.user')
    .values({ name, email: `${name}@example.com`, emailVerified: true, image: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function plantAccount({ store }: TestDatabase, place: SealPlace, sealer: Sealer): Promise<Buffer> {
  const sealed = sealer.seal(place, Buffer.from(word));
  await store.db
    .insertInto('linked_accounts')
    .values({
      owner_id: place.ownerId,
      service: place.purpose,
      kind: 'token',
      name: null,
      sealed,
      last_four: word.slice(-4),
      problem: null,
      linked_at: 1,
      checked_at: 1,
    })
    .execute();
  return sealed;
}
