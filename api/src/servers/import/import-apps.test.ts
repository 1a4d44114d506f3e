import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import type { App } from '@homeport/contract/apps/schema';
import { appsPerImport, ceilings } from '@homeport/contract/limits';
import type { ImportOffer } from '@homeport/contract/servers/import-schema';
import { makeKey, signerFor, startSshd } from '@homeport/ssh/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf, startTestApi } from '../../http/testing.ts';
import { linkServer } from '../../testing/link-server.ts';
import { type LinkedConsole, startLinkedConsole } from '../../testing/linked-console.ts';
import { eventsOf, runToEnd } from '../../testing/page.ts';

let linked: LinkedConsole;

beforeAll(async () => {
  linked = await startLinkedConsole({
    plugins: ['acl'],
    // The app `broken` cannot be read while the file is there.
    beforeEach:
      'case "$SSH_ORIGINAL_COMMAND" in *" broken "*|*" broken") [ -e "$DOKKU_SANDBOX_ROOT/mended" ] || exit 1;; esac',
  });
  const { dokku } = linked.host;
  await dokku('domains:set-global', 'harbour.test');
  for (const name of ['alpha', 'broken', 'gamma', 'theirs']) await dokku('apps:create', name);
  await dokku('resource:limit', '--memory', '256', '--cpu', '0.5', 'alpha');
  await dokku('resource:limit', '--memory', '300', 'gamma');
  await dokku('acl:add', 'theirs', 'alice');
  for (const [name, line] of [
    ['alice', makeKey().publicKeyLine],
    ['ines', linked.host.publicKeyLine],
  ] as const)
    execFileSync('dokku', ['ssh-keys:add', name], { env: linked.host.sandbox.env, input: `${line}\n` });
}, 60_000);
afterAll(() => linked?.[Symbol.asyncDispose]());

const offer = async () => {
  const events: ImportOffer[] = [];
  for await (const event of eventsOf<ImportOffer>(linked.ines, `GET /api/servers/${linked.server.id}/import`))
    events.push(event);
  return events;
};
const importNow = (longnames: readonly string[]) =>
  runToEnd(linked.ines, `POST /api/servers/${linked.server.id}/import`, { longnames });
const listApps = async () => bodyOf<App[]>(await linked.ines.call('GET /api/apps'), 200);
const appNamed = async (longname: string) => (await listApps()).find((app) => app.longname === longname);

test('the look at a server’s apps says what each of them has and who may push, and goes on after an app that cannot be read', async () => {
  const [found, ...apps] = await offer();
  expect(found).toMatchObject({ type: 'found', longnames: ['alpha', 'broken', 'gamma', 'theirs'], left: 0 });
  expect(found).toMatchObject({
    keys: [
      { name: 'alice', own: false },
      { name: 'ines', own: true },
    ],
  });
  expect(apps).toMatchObject([
    {
      type: 'app',
      app: {
        longname: 'alpha',
        state: 'undeployed',
        plan: 2,
        memoryMb: 256,
        cpus: 0.5,
        domains: ['alpha.harbour.test'],
        pushers: null,
      },
    },
    { type: 'unreadable', longname: 'broken', reason: expect.any(String) },
    { type: 'app', app: { longname: 'gamma', plan: null, memoryMb: 300, cpus: null } },
    { type: 'app', app: { longname: 'theirs', plan: null, memoryMb: null, cpus: null, pushers: ['alice'] } },
  ]);
  expect(await listApps()).toEqual([]);
}, 60_000);

test('imports the chosen apps alone, with their real limits, and one that cannot be read does not stop the others', async () => {
  const { operation } = await importNow(['alpha', 'broken', 'gamma']);
  expect(operation).toMatchObject({
    state: 'succeeded',
    toasts: [{ tone: 'ok', text: '3 Apps imported' }],
    steps: [
      { key: 'record', state: 'done' },
      {
        key: 'read',
        state: 'warned',
        title: 'Read the apps',
        note: 'Homeport could not read broken. It reads this app again with the next connection to the server.',
      },
    ],
  });
  expect(await listApps()).toHaveLength(3);
  expect(await appNamed('alpha')).toMatchObject({ plan: 2, unread: false, domains: ['alpha.harbour.test'] });
  expect(await appNamed('gamma')).toMatchObject({
    plan: null,
    unread: false,
    domains: ['gamma.harbour.test'],
  });
  expect(await appNamed('broken')).toMatchObject({ plan: null, unread: true, domains: [] });
}, 60_000);

test('an app that was not read is read by itself with the next connection', async () => {
  const { ines, server } = linked;
  expect((await ines.call(`DELETE /api/servers/${server.id}/connection`)).status).toBe(200);
  await writeFile(`${linked.host.sandbox.root}/mended`, '');
  await linked.connect();
  await expect
    .poll(() => appNamed('broken'), { timeout: 20_000 })
    .toMatchObject({ unread: false, domains: ['broken.harbour.test'] });
}, 60_000);

test('an import of nothing, of too much or of a bad name is refused, and one of a missing app imports nothing', async () => {
  const asked = (longnames: unknown) =>
    linked.ines.call(`POST /api/servers/${linked.server.id}/import`, { longnames });
  expect(await asked([])).toMatchObject({
    status: 400,
    body: { fields: { longnames: 'Choose at least one app.' } },
  });
  expect((await asked(Array.from({ length: appsPerImport + 1 }, (_, n) => `app-${n}`))).status).toBe(400);
  expect((await asked(['--force'])).status).toBe(400);
  const before = await listApps();
  expect((await importNow(['nowhere'])).operation).toMatchObject({
    state: 'failed',
    problem: { message: 'The server no longer has these apps. Nothing was imported.' },
  });
  expect(await listApps()).toEqual(before);
});

test('offers the apps of a server with 9,000 in parts, and imports up to the ceiling of one person', async () => {
  const key = makeKey();
  await using sshd = await startSshd({
    authorizedKeys: [key.publicKeyLine],
    // The server answers every command with names of apps.
    config: { ForceCommand: 'seq -f app-%05g 1 9000' },
  });
  await using api = await startTestApi({ ceilings: { ...ceilings, apps: 7 } });
  const ada = await api.signUp('ada');
  const link = await linkServer(api.url, ada, { ...key, sshd, signer: signerFor(key.privateKeyPem) });
  await link.connect();
  const names = (from: number, length: number) =>
    Array.from({ length }, (_, n) => `app-${String(from + n).padStart(5, '0')}`);
  const take = (longnames: readonly string[]) =>
    runToEnd(ada, `POST /api/servers/${link.server.id}/import`, { longnames });
  for await (const event of eventsOf<ImportOffer>(ada, `GET /api/servers/${link.server.id}/import`)) {
    expect(event).toMatchObject({ type: 'found', longnames: names(1, appsPerImport), left: 8_500 });
    break;
  }
  expect((await take(names(1, 5))).operation.steps[0]).toMatchObject({ state: 'done' });
  expect((await take(names(6, 5))).operation.steps[0]).toMatchObject({
    state: 'warned',
    note: 'Your account has no room for 3 more.',
  });
  expect((await take(names(11, 5))).operation).toMatchObject({
    state: 'failed',
    problem: {
      code: 'limit_reached',
      message: expect.stringMatching(/^You have 7 apps, .* what you have is kept\.$/),
    },
  });
  expect(bodyOf<App[]>(await ada.call('GET /api/apps'), 200)).toHaveLength(7);
  expect((await ada.call(`GET /api/servers/${link.server.id}/apps`)).body).toHaveLength(9_000);
}, 90_000);
