import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@homeport/contract/testing';
import { administer, startTransactionPooler, testServerUrl, withDatabase } from '@homeport/store/testing';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { buildServer, startConsoleProcess, temporaryFolder } from '../testing/console-process.ts';

vi.setConfig({ testTimeout: 120_000 });

let name: string;
let direct: string;
let pooler: Awaited<ReturnType<typeof startTransactionPooler>>;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(() => buildServer(), 120_000);
beforeEach(async () => {
  name = `test_${randomBytes(8).toString('hex')}`;
  await administer(testServerUrl(), (client) => client.query(`create database ${name}`));
  direct = withDatabase(testServerUrl(), name);
  pooler = await startTransactionPooler(direct);
  folder = await temporaryFolder();
});
afterEach(async () => {
  await pooler[Symbol.asyncDispose]();
  await administer(testServerUrl(), (client) => client.query(`drop database ${name} with (force)`));
  await folder[Symbol.asyncDispose]();
});

const withPooler = () => ({ DATABASE_URL: pooler.url, HOMEPORT_SECRET: 's'.repeat(32) });
const start = async (argv: string[], env: Record<string, string>) =>
  startConsoleProcess([...argv, '--data', folder.path], env);

test('the address of a pooler alone ends the start with words, and no supervisor tries it again', async () => {
  const console = await start(['--port', String(await freePort())], withPooler());
  expect(await console.ended).toBe(3);
  expect(console.output()).toContain('names a pooler that gives each transaction another session');
  expect(console.output()).toContain('DATABASE_URL_DIRECT');
});

test('with PostgreSQL’s own address beside it a console starts, serves and is backed up', async () => {
  const both = { ...withPooler(), DATABASE_URL_DIRECT: direct };
  const port = await freePort();
  const console = await start(['--port', String(port)], both);
  try {
    await expect.poll(console.output, { timeout: 60_000 }).toContain('is ready');
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    const file = join(folder.path, 'copy.tar.gz');
    const backup = await start(['backup', file, '--plain'], both);
    expect({ exit: await backup.ended, output: backup.output() }).toMatchObject({ exit: 0 });
    expect((await stat(file)).size).toBeGreaterThan(0);
  } finally {
    console.child.kill('SIGTERM');
    expect(await console.ended).toBe(0);
  }
  expect(console.output()).not.toContain('prepared statement');
});
