import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@homeport/contract/testing';
import { testDatabase } from '@homeport/store/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { buildServer, temporaryFolder } from '../../testing/console-process.ts';
import { keepService, type ServiceKeeper } from './keep-service.ts';
import type { ServiceSettings } from './service-settings.ts';

vi.setConfig({ testTimeout: 60_000 });

const settings: ServiceSettings = {
  ...{ host: '127.0.0.1', port: 1, control: { host: '127.0.0.1', port: 2 }, dataFolder: '', secret: '' },
  upstreams: { allowPrivate: [], own: { ports: [], names: [] } },
  trusted: { networks: [], cdnNetworks: [], secret: null },
  ...{ bodyBytes: null, workers: null, dnsServers: [], proxyName: null, isLocal: true },
};
const withinMs = 30_000;
const serviceProgram = fileURLToPath(new URL('../../dist/proxy-service.js', import.meta.url));

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let keeper: ServiceKeeper | undefined;
let reported: string[] = [];
let taken: number[] = [];

beforeEach(async () => {
  folder = await temporaryFolder();
  reported = [];
  taken = [];
});
afterEach(async () => {
  await keeper?.close();
  await folder[Symbol.asyncDispose]();
});

/** Keeps a program in place of the service. */
async function keep(source: string, pingEveryMs = 5_000): Promise<ServiceKeeper> {
  const program = join(folder.path, 'program.mjs');
  await writeFile(program, source);
  keeper = keepService({
    ...{ program, heapMiB: 64, begin: { settings, storeUrl: '', aloneMs: 1 }, times: { pingEveryMs } },
    report: ({ text }) => reported.push(text),
    portTaken: (port) => taken.push(port),
  });
  keeper.start();
  return keeper;
}

const begins = `
process.send({ kind: 'ready' });
const tell = (text) => process.send({ kind: 'failed', what: 'x', text });
`;

test('kills a process that answers no more, and begins it anew', async () => {
  await keep(`${begins} tell('begun'); process.on('message', () => undefined);`, 500);
  await expect.poll(() => reported, { timeout: withinMs }).toContain('It does not answer, and is killed.');
  const begun = () => reported.filter((text) => text === 'begun').length;
  await expect.poll(begun, { timeout: withinMs }).toBeGreaterThan(1);
  expect(reported).toContainEqual(expect.stringMatching(/^It ended with SIGKILL/));
});

test('limits the memory of the process, and hands no setting of the console over but its orders', async () => {
  process.env.HOMEPORT_SMTP_URL = 'smtp://ada:hunter2@mail.example.test';
  try {
    await keep(`${begins} tell(JSON.stringify({ flags: process.execArgv, env: Object.keys(process.env) }));
      process.on('message', ({ kind }) => kind === 'ping' && process.send({ kind: 'pong' }));`);
    await expect.poll(() => reported.length, { timeout: withinMs }).toBe(1);
  } finally {
    delete process.env.HOMEPORT_SMTP_URL;
  }
  const { flags, env } = JSON.parse(reported[0] ?? '');
  expect(flags).toContain('--max-old-space-size=64');
  expect(env).toContain('PATH');
  expect(env).not.toContain('HOMEPORT_SMTP_URL');
});

test('reports a taken port once, however often the process tries', async () => {
  await keep(`process.send({ kind: 'ready' });
    process.on('message', ({ kind }) => kind === 'begin' &&
      process.send({ kind: 'failed', what: 'x', text: 'tried' }, () =>
        process.send({ kind: 'refused', code: 'EADDRINUSE', port: 7080, text: '' }, () => process.exit(1))));`);
  const tried = () => reported.filter((text) => text === 'tried').length;
  await expect.poll(tried, { timeout: withinMs }).toBeGreaterThan(2);
  expect(taken).toEqual([7080]);
  expect(new Set(reported)).toEqual(new Set(['tried']));
});

test('the service itself changes no tables of an older program, and says who does', async () => {
  buildServer();
  await using database = await testDatabase();
  const { pool } = database.store;
  await pool.query('delete from migration where number = 76');
  const own = { ...settings, port: await freePort(), dataFolder: folder.path, secret: 's'.repeat(32) };
  keeper = keepService({
    ...{ program: serviceProgram, heapMiB: 64 },
    begin: {
      settings: { ...own, control: { host: '127.0.0.1', port: await freePort() } },
      ...{ storeUrl: database.url, aloneMs: 1 },
    },
    report: ({ text }) => reported.push(text),
    portTaken: (port) => taken.push(port),
  });
  keeper.start();
  await expect
    .poll(() => reported, { timeout: withinMs })
    .toContainEqual(expect.stringContaining('brings the data up to date first.'));
  expect(await pool.query('select from migration where number = 76')).toMatchObject({ rowCount: 0 });
  await keeper.close();
});
