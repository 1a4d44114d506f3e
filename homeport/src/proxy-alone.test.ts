import { writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import {
  buildServer,
  type ConsoleProcess,
  freePort,
  startConsoleProcess,
  temporaryFolder,
} from '../testing/console-process.ts';

vi.setConfig({ testTimeout: 90_000 });

beforeAll(() => buildServer(), 120_000);
let started: ConsoleProcess | undefined;
afterEach(async () => {
  started?.child.kill('SIGTERM');
  await started?.ended;
});

test('a proxy service alone starts and serves from its snapshot while the store is away', async () => {
  await using folder = await temporaryFolder();
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
    join(folder.path, 'proxies.snapshot'),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  const [port, control, away] = [await freePort(), await freePort(), await freePort()];
  started = startConsoleProcess(['--data', folder.path, '--only', 'proxy'], {
    ...{ HOMEPORT_PROXY_PORT: String(port), HOMEPORT_PROXY_CONTROL_PORT: String(control) },
    ...{ DATABASE_URL: `postgresql://nobody@127.0.0.1:${away}/none`, HOMEPORT_SECRET: 's'.repeat(32) },
  });
  await started.ready();

  // `fetch` lets nobody choose the Host.
  const body = await new Promise<string>((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', path: '/x', headers: { host: 'kept.test' } }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      res.on('end', () => resolve(text));
    });
    asked.on('error', reject);
    asked.end();
  });
  expect(body).toBe('upstream /site/x');
  const allowed = (domain: string) =>
    fetch(`http://127.0.0.1:${control}/system/tls/allowed?domain=${domain}`);
  expect([(await allowed('kept.test')).status, (await allowed('other.test')).status]).toEqual([200, 404]);
  started.child.kill('SIGTERM');
  expect(await started.ended).toBe(0);
  upstream.close();
  upstream.closeAllConnections();
});
