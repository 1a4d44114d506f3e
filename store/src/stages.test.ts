import { randomBytes } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { migrate } from './migrate.ts';
import { readMigrations } from './read-migrations.ts';
import { readShape } from './testing/shape.ts';
import { whatBreaks } from './testing/what-breaks.ts';
import { administer, testDatabase, testServerUrl, withDatabase } from './testing.ts';

vi.setConfig({ testTimeout: 60_000 });

/** The first step that says its stage. */
const firstStaged = 100;

test('every step since the stages says its stage, and a contract names an earlier step', async () => {
  const migrations = await readMigrations();
  const staged = migrations.filter(({ number }) => number >= firstStaged);
  expect(staged.map(({ number }) => number)).toContain(firstStaged);
  const numbers = new Set(migrations.map(({ number }) => number));
  for (const { number, name, needs } of staged) {
    expect({ number, name, needs }).not.toEqual({ number, name, needs: null });
    if (needs === 0 || needs === null) continue;
    expect({
      number,
      since: needs,
      isEarlier: needs >= firstStaged && needs < number && numbers.has(needs),
    }).toEqual({
      ...{ number, since: needs, isEarlier: true },
    });
  }
  expect(migrations.filter(({ number, needs }) => number < firstStaged && needs !== null)).toEqual([]);
});

test('a program of before runs on the tables of each expand', async () => {
  const migrations = await readMigrations();
  const name = `test_stages_${randomBytes(8).toString('hex')}`;
  await administer(testServerUrl(), (client) => client.query(`create database ${name}`));
  const broken: Record<number, string[]> = {};
  try {
    await administer(withDatabase(testServerUrl(), name), async (client) => {
      await migrate(
        client,
        migrations.filter(({ number }) => number < firstStaged),
      );
      for (const { number, needs } of migrations) {
        if (number < firstStaged) continue;
        const before = await readShape(client);
        await migrate(
          client,
          migrations.filter((each) => each.number <= number),
        );
        if (needs === 0) broken[number] = await whatBreaks(client, before, await readShape(client));
      }
    });
  } finally {
    await administer(testServerUrl(), (client) => client.query(`drop database ${name} with (force)`));
  }
  expect(broken).toHaveProperty(String(firstStaged));
  expect(Object.entries(broken).filter(([, faults]) => faults.length > 0)).toEqual([]);
});

/** The faults of a step after the newest one. */
async function faultsOf(sql: string): Promise<string[]> {
  await using database = await testDatabase();
  return await administer(database.url, async (client) => {
    const before = await readShape(client);
    await client.query(sql);
    return whatBreaks(client, before, await readShape(client));
  });
}

describe('an expand may not', () => {
  test.each([
    ['drop a column', 'alter table servers drop column name', 'public.servers.name is gone'],
    ['rename a column', 'alter table servers rename column name to title', 'public.servers.name is gone'],
    ['drop a table', 'drop table console_backups', 'public.console_backups.id is gone'],
    ['rename a table', 'alter table console_backups rename to copies', 'public.console_backups.id is gone'],
    [
      'take a default away',
      `alter table linked_accounts alter column asked_at drop default`,
      'public.linked_accounts.asked_at has no default any more',
    ],
    [
      'allow null where none was',
      'alter table servers alter column name drop not null',
      'public.servers.name may be null and was required',
    ],
    [
      'set not null on an old column',
      'alter table console_backups alter column proof_at set not null',
      'public.console_backups.proof_at is required and was not',
    ],
    [
      'narrow a type',
      'alter table console_backups alter column file type varchar(10)',
      'public.console_backups.file is character varying(10) and was text',
    ],
    [
      'add a column that older programs do not fill',
      'alter table console_backups add column extra integer not null',
      'public.console_backups.extra is required and has no default',
    ],
    [
      'change a check',
      `alter table console_backups drop constraint console_backups_state_check;
       alter table console_backups add constraint console_backups_state_check check (state in ('running', 'done'))`,
      'the constraint public.console_backups console_backups_state_check is gone or changed',
    ],
    [
      'add a check on an old column',
      'alter table console_backups add constraint longer check (octet_length(file) > 3)',
      'the constraint public.console_backups longer binds rows that an older program writes',
    ],
    [
      'add a check that new columns do not pass as older programs leave them',
      'alter table console_backups add column code text, add constraint coded check (code is not null)',
      'the constraint public.console_backups coded binds rows that an older program writes',
    ],
    [
      'demand one of two new columns',
      `delete from console_backups; alter table console_backups add column a integer, add column b integer,
       add constraint either check (num_nonnulls(a, b) = 1)`,
      'the constraint public.console_backups either binds rows that an older program writes',
    ],
    [
      'make a new column unique that has a default',
      `alter table console_backups add column code text default 'none' unique`,
      'the constraint public.console_backups console_backups_code_key binds rows that an older program writes',
    ],
    [
      'allow null once in a new column',
      'alter table console_backups add column code text unique nulls not distinct',
      'the constraint public.console_backups console_backups_code_key binds rows that an older program writes',
    ],
    [
      'make an old column unique',
      'create unique index one_file on console_backups (file)',
      'the constraint public.one_file binds rows that an older program writes',
    ],
    [
      'drop what “on conflict” needs',
      'alter table status_pages drop constraint status_pages_slug_key',
      'the constraint public.status_pages status_pages_slug_key is gone or changed',
    ],
    [
      'keep rows from being removed',
      'create table more (id integer, page_id uuid references status_pages (id))',
      'public.more more_page_id_fkey keeps rows of public.status_pages from being removed',
    ],
    [
      'keep rows from being removed by a column that cannot become null',
      'create table more (id integer, page_id uuid not null references status_pages (id) on delete set null)',
      'public.more more_page_id_fkey keeps rows of public.status_pages from being removed',
    ],
    [
      'drop a trigger',
      'drop trigger status_page_changed on status_pages',
      'the trigger public.status_pages status_page_changed is gone',
    ],
    [
      'drop a function',
      'drop function rename_failing_rules cascade',
      'the function rename_failing_rules(jsonb,jsonb) returns jsonb is gone or changed',
    ],
  ])('%s', async (_what, sql, fault) => {
    expect(await faultsOf(sql)).toContain(fault);
  });
});

test('an expand may add tables, columns with a default or null, and what binds only those', async () => {
  expect(
    await faultsOf(`
      create table more (id integer primary key, page_id uuid not null references status_pages (id) on delete cascade);
      alter table console_backups add column kind text not null default 'whole' check (kind in ('whole', 'part')),
        add column more_id integer references more (id), add column code text unique;
      create index console_backups_kind on console_backups (kind)`),
  ).toEqual([]);
});
