import { expect, test, vi } from 'vitest';
import { openStore } from './connect.ts';
import { readMigrations } from './read-migrations.ts';
import { testDatabase } from './testing.ts';

test('of consoles that start at once on older data, one copies them, and the others wait for it', async () => {
  await using database = await testDatabase();
  const { store, url } = database;
  // As before a step which adds nothing that its repetition would meet.
  await store.pool.query('delete from migration where number = 76');
  await store.pool.query('alter table console_backup_plan drop column daily_since');
  const waiting = async () => {
    const { rows } = await store.pool.query(
      `select from pg_locks where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows.length;
  };
  const copies: number[] = [];
  const open = () =>
    openStore({
      url,
      async beforeUpgrade({ bytes }) {
        copies.push(bytes);
        await vi.waitFor(async () => expect((await waiting()) + copies.length).toBe(2), 30_000);
      },
    });
  const opened = await Promise.all([open(), open()]);
  await Promise.all(opened.map((each) => each.close()));
  expect(copies).toEqual([expect.any(Number)]);
  expect(await store.pool.query('select number from migration where number = 76')).toMatchObject({
    rowCount: 1,
  });
});

test('an older program opens data to which a newer one only added, and not what a contract took away', async () => {
  await using database = await testDatabase();
  const { store, url } = database;
  const last = (await readMigrations()).at(-1)?.number ?? 0;
  const newer = `insert into migration (number, name, checksum, needs) values ($1, 'newer', '', $2)`;
  await store.pool.query('create table added (id integer)');
  await store.pool.query(newer, [9_998, 0]);
  await store.pool.query(newer, [9_999, last]);
  await (await openStore({ url })).close();

  // A contract since a step that this program does not know.
  await store.pool.query('update migration set needs = 9998 where number = 9999');
  await expect(openStore({ url })).rejects.toMatchObject({ code: 'newer_schema' });
});
