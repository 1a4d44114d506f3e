import type { Operation } from '@homeport/contract/operations/schema';
import { afterEach, expect, test } from 'vitest';
import { startTestApi, type TestApi, type TestVisitor } from '../../http/testing.ts';
import { linkServer, type TestLink } from '../../testing/link-server.ts';
import { runToEnd, succeeded } from '../../testing/page.ts';
import { type SandboxServer, startSandboxServer } from '../../testing/sandbox-host.ts';

/** A server that had Dokku before it was linked. */
let api: TestApi;
let host: SandboxServer;
let ines: TestVisitor;
let link: TestLink;

afterEach(async () => {
  await host?.[Symbol.asyncDispose]();
  await api?.[Symbol.asyncDispose]();
});

async function start(options: Parameters<typeof startSandboxServer>[0] = {}): Promise<void> {
  api = await startTestApi();
  host = await startSandboxServer(options);
  ines = await api.signUp('ines');
  link = await linkServer(api.url, ines, host);
  await link.connect();
}

const install = async (): Promise<Operation> => {
  const id = `POST /api/servers/${link.server.id}/install`;
  succeeded(await runToEnd(ines, id));
  const [operation] = (await ines.call(`GET /api/operations?serverId=${link.server.id}`)).body as Operation[];
  if (!operation) throw new Error('There is no operation.');
  return operation;
};
const globalDomain = async () => {
  const report = JSON.parse(await host.dokku('domains:report', '--global', '--format', 'json')) as object;
  return 'global-vhosts' in report ? report['global-vhosts'] : null;
};
const noteOf = (operation: Operation) => operation.steps.find(({ key }) => key === 'plugins')?.note;

test('keeps its global domain and its event log, and the step names both domains', async () => {
  await start();
  await host.dokku('domains:set-global', 'dokku.local.test');
  const events = await host.dokku('events:list').catch((error: { stderr: string }) => error.stderr);
  const operation = await install();
  expect(await globalDomain()).toBe('dokku.local.test');
  expect(noteOf(operation)).toBe(
    'The server’s global domain stays dokku.local.test. Apps made here get a domain under lantern.localhost as well. To use it for all new apps, run: dokku domains:set-global lantern.localhost',
  );
  expect(await host.dokku('events:list').catch((error: { stderr: string }) => error.stderr)).toBe(events);
}, 60_000);

test('gets a global domain when it has none', async () => {
  await start();
  const operation = await install();
  expect(await globalDomain()).toBe('lantern.localhost');
  expect(noteOf(operation) ?? null).toBeNull();
}, 60_000);

test('keeps a global domain that an older Dokku does not report', async () => {
  await start({ dokkuVersion: '0.37.10' });
  await host.dokku('domains:set-global', 'dokku.local.test');
  const operation = await install();
  expect(noteOf(operation)).toContain('stays ');
  await host.dokku('apps:create', 'by-hand');
  expect(await host.dokku('domains:report', 'by-hand')).toContain('by-hand.dokku.local.test');
}, 60_000);
