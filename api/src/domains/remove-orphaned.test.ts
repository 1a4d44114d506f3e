import type { App } from '@homeport/contract/apps/schema';
import type { PointingRecords } from '@homeport/contract/domains/schema';
import type { Operation } from '@homeport/contract/operations/schema';
import type { ResolveAll } from '@homeport/egress';
import { type CloudflareProcess, startCloudflare } from '@homeport/stand-ins/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { bodyOf } from '../http/testing.ts';
import { type LinkedConsole, startLinkedConsole } from '../testing/linked-console.ts';
import { followToEnd, runToEnd, succeeded } from '../testing/page.ts';
import { linkToken } from './testing/linked-zones.ts';

let cloudflare: CloudflareProcess;
let linked: LinkedConsole;
let zone: string;
/** What DNS says of the server's name, where a test gives it one. */
let named: Parameters<Parameters<ResolveAll>[2]> = [null, []];

beforeAll(async () => {
  cloudflare = await startCloudflare();
  zone = await cloudflare.addZone('northquay.example');
  linked = await startLinkedConsole(
    {},
    { cloudflareUrl: cloudflare.url },
    { resolveServer: (_name, _options, done) => done(...named) },
  );
  succeeded(await runToEnd(linked.ines, `POST /api/servers/${linked.server.id}/install`));
  await linkToken({ cloudflare }, linked.ines);
}, 120_000);
afterEach(() => cloudflare.answerWell());
afterAll(async () => {
  await linked?.[Symbol.asyncDispose]();
  await cloudflare?.[Symbol.asyncDispose]();
});

/** An app with a domain whose record leads to its server. */
async function appWithRecord(name: string): Promise<App> {
  const { ines, server, pushKey } = linked;
  const made = await runToEnd(ines, 'POST /api/apps', { name, serverId: server.id, keyIds: [pushKey.id] });
  const { appId } = succeeded(made).result as { appId: string };
  const domain = `${name}.northquay.example`;
  succeeded(await runToEnd(ines, `POST /api/apps/${appId}/domains`, { domain }));
  await cloudflare.addRecord(zone, { type: 'A', name, content: server.ip });
  return bodyOf<App>(await ines.call(`GET /api/apps/${appId}`), 200);
}

async function chosenOf(key: string) {
  const { records } = bodyOf<PointingRecords>(await linked.ines.call(key), 200);
  return records.map(({ zoneId, record: { id, name } }) => ({ zone: zoneId, record: id, dnsName: name }));
}
const destroy = (app: App, more: object) =>
  runToEnd(linked.ines, `POST /api/apps/${app.id}/destroy`, { confirmation: 'destroy', ...more });
const namesThere = async () =>
  (await cloudflare.recordsOf(zone)).map(({ name }) => name.replace('.northquay.example', '')).toSorted();
const dnsStep = ({ steps }: Operation) => steps.find(({ key }) => key === 'dns');

test('the records of an app stay while its destruction fails, and go once the repeated one succeeds', async () => {
  const app = await appWithRecord('shop');
  const records = await chosenOf(`GET /api/apps/${app.id}/records`);
  const folder = `/var/lib/dokku/data/storage/${app.longname}`;
  succeeded(
    await runToEnd(linked.ines, `POST /api/apps/${app.id}/storage`, { containerPath: '/app/storage' }),
  );
  await linked.host.dokku('apps:create', 'neighbour');
  await linked.host.dokku('storage:mount', 'neighbour', `${folder}/part:/data`);
  const failed = await destroy(app, { records, storage: [folder] });
  expect(failed.operation.state).toBe('failed');
  expect(await namesThere()).toEqual(['shop']);

  await linked.host.dokku('storage:unmount', 'neighbour', `${folder}/part:/data`);
  const again = await runToEnd(linked.ines, `POST /api/operations/${failed.operation.id}/retry`);
  expect(succeeded(again).steps.map(({ key }) => key)).toEqual([
    'check-storage',
    'destroy',
    'storage',
    'dns',
    'record',
  ]);
  expect(dnsStep(again.operation)).toMatchObject({
    state: 'done',
    note: 'Removed at Cloudflare: shop.northquay.example.',
  });
  expect(await namesThere()).toEqual([]);
}, 60_000);

test('a destroyed app is gone although Cloudflare cannot be reached, and its operation names what is left', async () => {
  const app = await appWithRecord('ledger');
  const records = await chosenOf(`GET /api/apps/${app.id}/records`);
  await cloudflare.answerBadly('hang_up');
  const { operation } = await destroy(app, { records });
  expect(operation.state).toBe('succeeded');
  expect(dnsStep(operation)).toMatchObject({
    state: 'warned',
    note: 'Not removed at Cloudflare: ledger.northquay.example. The console cannot reach Cloudflare, or lost the connection. Remove it on the page of its domain.',
  });
  expect((await linked.ines.call(`GET /api/apps/${app.id}`)).status).toBe(404);
  expect(await namesThere()).toEqual(['ledger']);
  await cloudflare.removeRecords(zone);
}, 60_000);

test('a record that was pointed elsewhere before its turn came stays', async () => {
  const app = await appWithRecord('tides');
  const records = await chosenOf(`GET /api/apps/${app.id}/records`);
  for (const { id } of await cloudflare.recordsOf(zone))
    await cloudflare.changeRecord(zone, id, { content: '203.0.113.9' });
  const { operation } = await destroy(app, { records });
  expect(dnsStep(operation)).toMatchObject({
    state: 'skipped',
    note: 'No longer there, or pointing elsewhere by now: tides.northquay.example.',
  });
  expect(await namesThere()).toEqual(['tides']);
  await cloudflare.removeRecords(zone);
}, 60_000);

test('a domain takes its record along, and no other', async () => {
  const app = await appWithRecord('harbour');
  const others = await appWithRecord('mirror');
  const chosen = [
    ...(await chosenOf(`GET /api/apps/${app.id}/records`)),
    ...(await chosenOf(`GET /api/apps/${others.id}/records`)),
  ];
  const { operation } = await runToEnd(linked.ines, `POST /api/apps/${app.id}/domains/remove`, {
    domain: 'harbour.northquay.example',
    records: chosen,
  });
  expect(operation.state).toBe('succeeded');
  expect(dnsStep(operation)?.note).toBe(
    'Removed at Cloudflare: harbour.northquay.example. No longer there, or pointing elsewhere by now: mirror.northquay.example.',
  );
  expect(await namesThere()).toEqual(['mirror']);
  await cloudflare.removeRecords(zone);
}, 60_000);

test.each<[string, typeof named]>([
  [
    'DNS does not tell the addresses of the server’s name',
    [Object.assign(new Error(), { code: 'ETIMEOUT' }), []],
  ],
  ['the server’s name is gone from DNS', [null, []]],
])(
  'a chosen record is not said to be gone while %s',
  async (_why, answer) => {
    const app = await appWithRecord('kept');
    const setAddress = (ip: string) =>
      linked.api.store.db.updateTable('servers').set({ ip }).where('id', '=', linked.server.id).execute();
    try {
      named = [null, [{ address: linked.server.ip, family: 4 }]];
      await setAddress('vps.example.net');
      const records = await chosenOf(`GET /api/apps/${app.id}/records`);
      expect(records).toHaveLength(1);
      named = answer;
      const { operation } = await destroy(app, { records });
      expect(dnsStep(operation)).toMatchObject({
        state: 'warned',
        note: 'Not removed at Cloudflare: kept.northquay.example. vps.example.net has no address in DNS now, or could not be looked up. Remove it on the page of its domain.',
      });
      expect(await namesThere()).toContain('kept');
      await cloudflare.removeRecords(zone);
    } finally {
      await setAddress(linked.server.ip);
    }
  },
  60_000,
);

test('the records of a server go after its machine is clean, and only with an operation', async () => {
  const { ines, server } = linked;
  await cloudflare.addRecord(zone, { type: 'A', name: 'box', content: server.ip });
  await cloudflare.addRecord(zone, { type: 'A', name: 'away', content: '203.0.113.9' });
  const records = await chosenOf(`GET /api/servers/${server.id}/records`);
  const refused = await ines.call(`POST /api/servers/${server.id}/remove`, { uninstall: false, records });
  expect(refused).toMatchObject({ status: 400, body: { fields: { records: expect.any(String) } } });
  const removal = bodyOf<{ operation: Operation }>(
    await ines.call(`POST /api/servers/${server.id}/remove`, { uninstall: true, records }),
    202,
  );
  const { operation } = await followToEnd(ines, removal.operation.id);
  expect(operation.state).toBe('succeeded');
  expect(dnsStep(operation)?.note).toBe('Removed at Cloudflare: box.northquay.example.');
  expect(await namesThere()).toEqual(['away']);
}, 60_000);
