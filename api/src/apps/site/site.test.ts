import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '@homeport/contract/apps/schema';
import type { SystemInformation } from '@homeport/contract/apps/settings-schema';
import type { Site } from '@homeport/contract/apps/site/schema';
import type { Operation, RanCommand } from '@homeport/contract/operations/schema';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { bodyOf } from '../../http/testing.ts';
import { deployApp } from '../../testing/deploy-app.ts';
import { type LinkedConsole, startLinkedConsole } from '../../testing/linked-console.ts';
import { runToEnd, succeeded } from '../../testing/page.ts';

let linked: LinkedConsole;
let app: App;
beforeAll(async () => {
  linked = await startLinkedConsole({ counted: true });
  app = await deployApp(linked.ines, linked, { 'index.html': 'ahoy' });
}, 180_000);
afterAll(() => linked?.[Symbol.asyncDispose]());

const dokku = (...words: [string, ...string[]]) => linked.host.dokku(...words);
const unset = [
  'client-max-body-size',
  'proxy-read-timeout',
  'hsts',
  'hsts-max-age',
  'hsts-include-subdomains',
];
afterEach(async () => {
  for (const property of unset) await dokku('nginx:set', app.longname, property);
  await dokku('proxy:build-config', app.longname);
});

type Change = { field: string; from: string | null; to: string | null };
const change = (...changes: Change[]) => runToEnd(linked.ines, `POST /api/apps/${app.id}/site`, { changes });
const again = ({ id }: Operation) => runToEnd(linked.ines, `POST /api/operations/${id}/retry`, {});
const upload = (from: string | null, to: string | null): Change => ({ field: 'uploadLimit', from, to });
const answer = (from: string | null, to: string | null): Change => ({ field: 'answerTimeout', from, to });
const system = async () =>
  bodyOf<SystemInformation>(await linked.ines.call(`GET /api/apps/${app.id}/system`), 200);
const site = async (): Promise<Site> => {
  const told = (await system()).site;
  if (!told) throw new Error('The server told nothing of the site.');
  return told;
};
/** What nginx serves with. */
const built = (): unknown =>
  JSON.parse(readFileSync(join(linked.host.sandbox.root, 'apps', `${app.longname}.json`), 'utf8'))
    .nginxBuilt ?? {};
async function commandsOf({ id }: Operation): Promise<string[]> {
  const ran = bodyOf<RanCommand[]>(await linked.ines.call(`GET /api/operations/${id}/commands`), 200);
  return ran.flatMap(({ command }) => /homeport:site-write.*/.exec(command)?.[0] ?? []);
}

const untouched: Site = {
  uploadLimit: { set: null, otherwise: '1m' },
  answerTimeout: { set: null, otherwise: '60s' },
  hsts: { set: null, otherwise: 'true' },
  hstsSeconds: { set: null, otherwise: '15724800' },
  hstsSubdomains: { set: null, otherwise: 'true' },
  ownTemplate: false,
};

test('a view of the app tells the site in the start that it makes anyway', async () => {
  const before = linked.host.sandbox.starts().length;
  expect(await site()).toEqual(untouched);
  const starts = linked.host.sandbox.starts().slice(before);
  expect(starts.map(({ command }) => command)).toEqual(['homeport:state']);
});

test('without the plugin the report of Dokku tells it, but not of a template', async () => {
  await dokku('nginx:set', app.longname, 'hsts-max-age', '300');
  await dokku('plugin:disable', 'homeport');
  try {
    await linked.ines.call(`POST /api/apps/${app.id}/refresh`);
    expect(await site()).toEqual({
      ...untouched,
      hstsSeconds: { set: '300', otherwise: '15724800' },
      ownTemplate: null,
    });
  } finally {
    await dokku('plugin:enable', 'homeport');
    succeeded(await runToEnd(linked.ines, `POST /api/servers/${linked.server.id}/plugin`));
  }
}, 60_000);

test('values are set, built once, told, and taken off again', async () => {
  const hsts = { field: 'hsts', from: null, to: 'false' };
  const done = await change(upload(null, '50m'), answer(null, '5m'), hsts);
  succeeded(done);
  expect(await commandsOf(done.operation)).toEqual([
    `homeport:site-write ${app.longname} 'client-max-body-size=50m' 'proxy-read-timeout=5m' 'hsts=false'`,
  ]);
  expect(await site()).toMatchObject({
    uploadLimit: { set: '50m' },
    answerTimeout: { set: '5m' },
    hsts: { set: 'false' },
  });
  expect(built()).toEqual({ 'client-max-body-size': '50m', 'proxy-read-timeout': '5m', hsts: 'false' });
  const off = await change(upload('50m', null));
  succeeded(off);
  expect(await commandsOf(off.operation)).toEqual([
    `homeport:site-write ${app.longname} 'client-max-body-size='`,
  ]);
  expect(built()).toEqual({ 'proxy-read-timeout': '5m', hsts: 'false' });
}, 60_000);

test('without a change, what somebody set on the server is built', async () => {
  await dokku('nginx:set', app.longname, 'client-max-body-size', '50m');
  const built50 = await change();
  succeeded(built50);
  expect(await commandsOf(built50.operation)).toEqual([`homeport:site-write ${app.longname}`]);
  expect(built()).toEqual({ 'client-max-body-size': '50m' });
}, 60_000);

test('what is set and was never built is built', async () => {
  await dokku('nginx:set', app.longname, 'client-max-body-size', '50m');
  expect(built()).toEqual({});
  succeeded(await change(upload(null, '50m')));
  expect(built()).toEqual({ 'client-max-body-size': '50m' });
}, 60_000);

test('what somebody set since the page showed it stays, also when the work runs again', async () => {
  await dokku('nginx:set', app.longname, 'client-max-body-size', '7m');
  const { operation } = await change(answer(null, '5m'), upload(null, '50m'));
  const conflict = {
    state: 'failed',
    problem: { message: 'On the server, largest upload is 7m by now, and not unset. Nothing was changed.' },
  };
  expect(operation).toMatchObject(conflict);
  expect((await again(operation)).operation).toMatchObject(conflict);
  expect(await site()).toMatchObject({ uploadLimit: { set: '7m' }, answerTimeout: { set: null } });
}, 60_000);

const other = 'neighbour';

test('where a value that was never built breaks the site, all is as before, and other apps are built', async () => {
  await dokku('apps:create', other);
  succeeded(await change(upload(null, '7m')));
  await dokku('nginx:set', app.longname, 'proxy-read-timeout', 'long');
  const { operation } = await change(upload('7m', '50m'));
  expect(operation.problem?.message).toContain('"proxy_read_timeout" directive invalid value in');
  expect(operation.problem?.message).toContain('What stood there before holds again.');
  expect(await site()).toMatchObject({ uploadLimit: { set: '7m' }, answerTimeout: { set: 'long' } });
  expect(built()).toEqual({ 'client-max-body-size': '7m' });
  await dokku('proxy:build-config', other);
  // The one change that mends it goes through.
  succeeded(await change(answer('long', '5m')));
  expect(built()).toEqual({ 'client-max-body-size': '7m', 'proxy-read-timeout': '5m' });
}, 60_000);

test('while nginx refuses another app, all is as before, and the message names that one', async () => {
  await dokku('nginx:set', other, 'client-max-body-size', 'lots');
  await expect(dokku('proxy:build-config', other)).rejects.toThrow();
  const { operation } = await change(upload(null, '50m'));
  expect(operation.problem?.message).toContain(`/${other}/nginx.conf`);
  expect(operation.problem?.recovery).toContain('The cause is another app');
  expect(built()).toEqual({});
  await dokku('nginx:set', other, 'client-max-body-size');
  await dokku('proxy:build-config', other);
  succeeded(await again(operation));
  expect(built()).toEqual({ 'client-max-body-size': '50m' });
}, 60_000);

test('work that is run again later does not put back what another one set since', async () => {
  await dokku('nginx:set', app.longname, 'proxy-read-timeout', 'long');
  const { operation } = await change(upload(null, '50m'));
  expect(operation.state).toBe('failed');
  await dokku('nginx:set', app.longname, 'proxy-read-timeout');
  succeeded(await change(upload(null, '50m')));
  await dokku('nginx:set', app.longname, 'proxy-read-timeout', 'long');
  expect((await again(operation)).operation.state).toBe('failed');
  expect(await site()).toMatchObject({ uploadLimit: { set: '50m' } });
  expect(built()).toEqual({ 'client-max-body-size': '50m' });
}, 60_000);

test('without a web process that runs, the work says when HSTS changes', async () => {
  await dokku('ps:stop', app.longname);
  const hsts = { field: 'hsts', from: null, to: 'false' };
  try {
    const { operation } = await change(hsts);
    expect(operation.steps.at(-1)).toMatchObject({
      state: 'warned',
      note: 'HSTS changes with the next start of a web process.',
    });
  } finally {
    await dokku('ps:start', app.longname);
  }
}, 60_000);

test('hostile values are refused before anything runs', async () => {
  const refused = [
    {},
    { changes: [upload(null, '50m'), upload(null, '60m')] },
    { changes: [{ field: 'proxy-buffers', from: null, to: '8 4k' }] },
    { changes: [upload('x'.repeat(65), '50m')] },
    ...['50m;', '101g', '', '-1', ' 50m', '50m\n', '--global'].map((to) => ({ changes: [upload(null, to)] })),
    ...['0s', '25h', '60', '60s; return 200'].map((to) => ({ changes: [answer(null, to)] })),
    { changes: [{ field: 'hstsSeconds', from: null, to: '63072001' }] },
    { changes: [{ field: 'hsts', from: null, to: 'off' }] },
  ];
  for (const body of refused) {
    const reply = await linked.ines.call(`POST /api/apps/${app.id}/site`, body);
    expect(reply.status, JSON.stringify(body)).toBe(400);
  }
});

test('the site of somebody else’s app is not changed', async () => {
  const eve = await linked.api.signUp('eve');
  const reply = await eve.call(`POST /api/apps/${app.id}/site`, { changes: [upload(null, '50m')] });
  expect(reply.status).toBe(404);
});
