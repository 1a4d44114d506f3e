import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Owner, ownerFromSession } from './owner.ts';
import { type TestDatabase, testDatabase } from './testing.ts';

let database: TestDatabase;
let owner: Owner;

beforeAll(async () => {
  database = await testDatabase();
  const { id } = await database.store.db
    .insertInto('auth.user')
    .values({ name: 'Ada', email: 'ada@example.org', emailVerified: true, image: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  owner = ownerFromSession(id);
});
afterAll(() => database.close());

const message = () => ({ recipient: randomUUID(), subject: 's', body: 'b', created_at: 1_763_000_000_123 });

async function stored(recipient: string) {
  return database.store.db
    .selectFrom('outbox_messages')
    .selectAll()
    .where('recipient', '=', recipient)
    .execute();
}

test('a read cannot write: PostgreSQL itself refuses', async () => {
  const row = message();
  await expect(
    database.store.read(owner, ({ db }) => db.insertInto('outbox_messages').values(row).execute()),
  ).rejects.toMatchObject({ code: '25006' });
  expect(await stored(row.recipient)).toEqual([]);
});

test('a failed transaction keeps nothing, sends no notification and runs no effect', async () => {
  const row = message();
  const heard: unknown[] = [];
  const effects: string[] = [];
  const off = await database.store.listener.on('reports', (payload) => heard.push(payload));
  await expect(
    database.store.transact(owner, async ({ db, notify, onCommit }) => {
      await db.insertInto('outbox_messages').values(row).execute();
      await notify('reports', { monitorIds: ['lost'] });
      onCommit(() => {
        effects.push('mail');
      });
      throw new Error('changed my mind');
    }),
  ).rejects.toThrow('changed my mind');
  await database.store.notify('reports', { monitorIds: ['after'] });
  await expect.poll(() => heard).toEqual([{ monitorIds: ['after'] }]);
  expect(effects).toEqual([]);
  expect(await stored(row.recipient)).toEqual([]);
  off();
});

test('rows and notifications arrive once the transaction commits, then its effects run in order', async () => {
  const row = message();
  const heard: unknown[] = [];
  const effects: string[] = [];
  const off = await database.store.listener.on('operation', (payload) => heard.push(payload));
  await database.store.transact(owner, async ({ db, notify, onCommit }) => {
    await db.insertInto('outbox_messages').values(row).execute();
    await notify('operation', { owner, operation: 'o1' });
    onCommit(async () => {
      effects.push(`mail, ${(await stored(row.recipient)).length} row`);
    });
    onCommit(() => {
      effects.push('stream');
    });
  });
  expect(effects).toEqual(['mail, 1 row', 'stream']);
  await expect.poll(() => heard).toEqual([{ owner, operation: 'o1' }]);
  off();
});

test('a bigint comes back as a number', async () => {
  const row = message();
  await database.store.db.insertInto('outbox_messages').values(row).execute();
  expect((await stored(row.recipient))[0]?.created_at).toBe(1_763_000_000_123);
});
