import { randomBytes } from 'node:crypto';
import { freePort } from '@homeport/contract/testing';
import { controlToken } from '@homeport/proxy';
import { readMigrations } from '@homeport/store';
import { administer, testServerUrl, withDatabase } from '@homeport/store/testing';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  buildServer,
  type ConsoleProcess,
  startConsoleProcess,
  temporaryFolder,
} from '../testing/console-process.ts';

vi.setConfig({ testTimeout: 120_000 });

const secret = 's'.repeat(32);
const within = { timeout: 60_000 };
let name: string;
let url: string;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let started: ConsoleProcess[] = [];

beforeAll(() => buildServer(), 120_000);
beforeEach(async () => {
  name = `test_${randomBytes(8).toString('hex')}`;
  await administer(testServerUrl(), (client) => client.query(`create database ${name}`));
  url = withDatabase(testServerUrl(), name);
  folder = await temporaryFolder();
});
afterEach(async () => {
  for (const { child } of started) child.kill('SIGTERM');
  for (const { ended } of started) await ended;
  started = [];
  await administer(testServerUrl(), (client) => client.query(`drop database ${name} with (force)`));
  await folder[Symbol.asyncDispose]();
});

/** Some services of a console on the database, which begins without a table. */
async function start(only: string, env: Record<string, string> = {}): Promise<ConsoleProcess> {
  const console = startConsoleProcess(
    ['--data', folder.path, '--port', String(await freePort()), '--only', only],
    { DATABASE_URL: url, HOMEPORT_SECRET: secret, ...env },
  );
  started.push(console);
  return console;
}

const tables = async () =>
  (
    await administer(url, (client) =>
      client.query("select from pg_class where relnamespace = 'public'::regnamespace"),
    )
  ).rowCount;

async function stepsThatRan(): Promise<number[]> {
  const { rows } = await administer(url, (client) =>
    client.query<{ number: number }>('select number from migration order by number'),
  );
  return rows.map(({ number }) => number);
}

test('a proxy service on an empty database says that it waits, makes no table, and reads the tables that the console makes', async () => {
  const control = await freePort();
  const proxy = await start('proxy', {
    ...{ HOMEPORT_PROXY_PORT: String(await freePort()), HOMEPORT_PROXY_CONTROL_PORT: String(control) },
  });
  await expect
    .poll(proxy.output, within)
    .toContain('There are no tables of Homeport in this database yet. The console');
  expect(await tables()).toBe(0);

  const console = await start('api,monitor');
  await console.ready();
  const state = async () => {
    const answer = await fetch(`http://127.0.0.1:${control}/system/state`, {
      headers: { authorization: `Bearer ${controlToken(secret)}` },
    });
    return answer.json();
  };
  await expect.poll(state, within).toMatchObject({ store: 'reached' });
  expect(await stepsThatRan()).toEqual((await readMigrations()).map(({ number }) => number));
});

test('api, monitor and proxy service that start at once on an empty database all begin, and each step runs once', async () => {
  const all = [
    await start('api'),
    await start('monitor'),
    await start('proxy', {
      ...{
        HOMEPORT_PROXY_PORT: String(await freePort()),
        HOMEPORT_PROXY_CONTROL_PORT: String(await freePort()),
      },
    }),
  ];
  await Promise.all(all.map((each) => each.ready()));
  expect(await stepsThatRan()).toEqual((await readMigrations()).map(({ number }) => number));
});

test('pages alone on an empty database say that they wait, and make no table', async () => {
  const pages = await start('web');
  await expect.poll(pages.output, within).toContain('There are no tables of Homeport in this database yet.');
  expect(await tables()).toBe(0);
});

test('pages alone on a data folder without tables end with words at once: no other process could make them', async () => {
  const pages = startConsoleProcess(
    ['--data', folder.path, '--port', String(await freePort()), '--only', 'web'],
    {},
  );
  started.push(pages);
  expect(await pages.ended).toBe(1);
  expect(pages.output()).toContain('Start a console of this version with api or monitor');
});
