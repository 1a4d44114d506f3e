import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { freePort } from '@homeport/contract/testing';
import { openStore } from '@homeport/store';
import { testDatabase } from '@homeport/store/testing';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import {
  buildServer,
  type ConsoleProcess,
  startConsoleProcess,
  temporaryFolder,
} from '../testing/console-process.ts';
import { askDomain } from '../testing/proxied-domain.ts';

vi.setConfig({ testTimeout: 90_000 });

beforeAll(() => buildServer(), 120_000);
let started: ConsoleProcess | undefined;
afterEach(async () => {
  started?.child.kill('SIGTERM');
  await started?.ended;
});

/** Serves `kept.test` from the snapshot of a data plane that was here before. */
async function startAlone(folder: string, databaseUrl: string) {
  const upstream = createServer((req, res) => res.end(`upstream ${req.url}`));
  const at = await freePort();
  await new Promise<void>((resolve) => upstream.listen(at, '127.0.0.1', resolve));
  const lines = [
    { homeport: 'proxies', version: 41, writtenAt: 1 },
    {
      ...{ id: 'p', domain: 'kept.test', version: 41 },
      text: JSON.stringify({ source: `http://127.0.0.1:${at}/site`, records: [] }),
    },
  ];
  await writeFile(
    join(folder, 'proxies.snapshot'),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  const [port, control] = [await freePort(), await freePort()];
  const service = startConsoleProcess(['--data', folder, '--only', 'proxy'], {
    ...{ HOMEPORT_PROXY_PORT: String(port), HOMEPORT_PROXY_CONTROL_PORT: String(control) },
    ...{ DATABASE_URL: databaseUrl, HOMEPORT_SECRET: 's'.repeat(32) },
  });
  started = service;
  await service.ready();
  return {
    service,
    visit: () => askDomain({ port, domain: 'kept.test', path: '/x' }),
    async allows(domain: string) {
      const url = `http://127.0.0.1:${control}/system/tls/allowed?domain=${domain}`;
      return (await fetch(url)).status;
    },
    [Symbol.dispose]() {
      upstream.close();
      upstream.closeAllConnections();
    },
  };
}

test('a proxy service alone starts and serves from its snapshot while the store is away', async () => {
  await using folder = await temporaryFolder();
  const away = `postgresql://nobody@127.0.0.1:${await freePort()}/none`;
  using alone = await startAlone(folder.path, away);
  expect(await alone.visit()).toBe('upstream /site/x');
  expect([await alone.allows('kept.test'), await alone.allows('other.test')]).toEqual([200, 404]);
  alone.service.child.kill('SIGTERM');
  expect(await alone.service.ended).toBe(0);
});

test('a proxy service alone leaves older data to the console, serves from its snapshot, and reads them when they are up to date', async () => {
  await using folder = await temporaryFolder();
  await using database = await testDatabase();
  const { pool } = database.store;
  await pool.query('delete from migration where number = 76');
  await pool.query('alter table console_backup_plan drop column daily_since');
  using alone = await startAlone(folder.path, database.url);
  await expect.poll(alone.service.output, { timeout: 30_000 }).toContain('brings the data up to date first.');
  expect(await alone.visit()).toBe('upstream /site/x');
  expect(await pool.query('select from migration where number = 76')).toMatchObject({ rowCount: 0 });

  await (await openStore({ url: database.url })).close();
  // The store has no proxies.
  await expect.poll(() => alone.allows('kept.test'), { timeout: 30_000 }).toBe(404);
  alone.service.child.kill('SIGTERM');
  expect(await alone.service.ended).toBe(0);
});
