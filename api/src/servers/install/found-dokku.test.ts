import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation, RanCommand } from '@homeport/contract/operations/schema';
import type { Server } from '@homeport/contract/servers/schema';
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
const act = async (path: string) =>
  succeeded(await runToEnd(ines, `POST /api/servers/${link.server.id}/${path}`));
const asked = async () =>
  ((await ines.call(`GET /api/servers/${link.server.id}`)).body as Server).globalDomains;
const noteOf = (operation: Operation) => operation.steps.find(({ key }) => key === 'plugins')?.note;

test('keeps its global domain and its event log, and the step names both domains', async () => {
  await start();
  await host.dokku('domains:set-global', 'dokku.local.test');
  const events = await host.dokku('events:list').catch((error: { stderr: string }) => error.stderr);
  const operation = await install();
  expect(await globalDomain()).toBe('dokku.local.test');
  expect(noteOf(operation)).toBe(
    'The server’s global domain stays dokku.local.test. Apps made here get a domain under lantern.localhost as well. The server’s page asks whether new apps should use that one only.',
  );
  expect(await asked()).toEqual({ found: ['dokku.local.test'], kept: false });
  expect(await host.dokku('events:list').catch((error: { stderr: string }) => error.stderr)).toBe(events);
}, 60_000);

test('gets a global domain when it has none', async () => {
  await start();
  const operation = await install();
  expect(await globalDomain()).toBe('lantern.localhost');
  expect(noteOf(operation) ?? null).toBeNull();
  expect(await asked()).toBeNull();
}, 60_000);

test('keeps its global domain when the person says so, and nobody asks again until it is another', async () => {
  await start();
  await host.dokku('domains:set-global', 'dokku.local.test');
  await install();
  const kept = (await ines.call(`POST /api/servers/${link.server.id}/global-domain/keep`)).body as Server;
  expect(kept.globalDomains).toEqual({ found: ['dokku.local.test'], kept: true });
  expect(await globalDomain()).toBe('dokku.local.test');
  expect(noteOf(await install())).not.toContain('asks');
  expect(await asked()).toEqual({ found: ['dokku.local.test'], kept: true });
  await host.dokku('domains:set-global', 'other.local.test');
  expect(noteOf(await install())).toContain('asks');
  expect(await asked()).toEqual({ found: ['other.local.test'], kept: false });
}, 60_000);

test('gets Homeport’s global domain when the person says so, and its apps keep theirs', async () => {
  await start();
  await host.dokku('domains:set-global', 'dokku.local.test', 'second.local.test');
  await host.dokku('apps:create', 'earlier');
  await install();
  expect((await asked())?.found).toEqual(['dokku.local.test', 'second.local.test']);
  const operation = await act('global-domain');
  expect(operation.toasts.map(({ text }) => text)).toEqual([
    'New apps on lantern get a domain under lantern.localhost.',
  ]);
  expect(await globalDomain()).toBe('lantern.localhost');
  expect(await asked()).toBeNull();
  await host.dokku('apps:create', 'later');
  expect(await host.dokku('domains:report', 'earlier')).toContain('earlier.dokku.local.test');
  expect(await host.dokku('domains:report', 'later')).toContain('later.lantern.localhost');
}, 60_000);

test('is asked about no more than five of its global domains', async () => {
  await start();
  await host.dokku('domains:set-global', ...'abcdefg'.split('').map((name) => `${name}.local.test`));
  await install();
  expect((await asked())?.found).toHaveLength(5);
}, 60_000);

/** What the server does in place of commands that hold this text. */
const inPlaceOf = (text: string, words: string) =>
  `case $SSH_ORIGINAL_COMMAND in *${text}*) ${words} ;; esac`;

test('is still asked about when it keeps its global domain in spite of the command', async () => {
  await start({ beforeEach: inPlaceOf('domains:set-global', 'exit 0') });
  await host.dokku('domains:set-global', 'dokku.local.test');
  await install();
  const { operation } = await runToEnd(ines, `POST /api/servers/${link.server.id}/global-domain`);
  expect(operation).toMatchObject({
    state: 'failed',
    problem: {
      message: 'The server took the command, but its global domain is not lantern.localhost.',
    },
  });
  expect(await asked()).toEqual({ found: ['dokku.local.test'], kept: false });
}, 60_000);

test('keeps a global domain that an older Dokku does not report', async () => {
  await start({ dokkuVersion: '0.37.10', beforeEach: inPlaceOf('domains:report*--global', 'exit 1') });
  await host.dokku('domains:set-global', 'dokku.local.test');
  const operation = await install();
  expect(noteOf(operation)).toBe(
    'The server’s global domain stays as it is, because it could not be read. Apps made here get a domain under lantern.localhost as well. To use it for all new apps, run: dokku domains:set-global lantern.localhost',
  );
  expect(await asked()).toBeNull();
  await host.dokku('apps:create', 'by-hand');
  expect(await host.dokku('domains:report', 'by-hand')).toContain('by-hand.dokku.local.test');
}, 60_000);

test('installs plugins without publishing the apps that were there, and says what it decided for them', async () => {
  await start({ plugins: [] });
  await host.dokku('apps:create', 'ledger');
  await host.dokku('apps:create', 'public-on-purpose');
  await host.dokku('network:set', 'public-on-purpose', 'bind-all-interfaces', 'true');
  const operation = await install();
  const decided = (app: string) =>
    readFileSync(join(host.sandbox.root, 'lib/config/network', app, 'bind-all-interfaces'), 'utf8');
  expect([decided('ledger'), decided('public-on-purpose')]).toEqual(['false', 'true']);
  const ran = (await ines.call(`GET /api/operations/${operation.id}/commands`)).body as RanCommand[];
  const decisions = ran.map(({ command }) => command).filter((command) => command.includes('network:set'));
  expect(decisions).toEqual([expect.stringMatching(/dokku network:set ledger bind-all-interfaces false$/)]);
}, 60_000);
