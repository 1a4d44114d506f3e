import type { HttpsCheck } from '@homeport/contract/apps/settings-schema';
import type { AppDns, PointingRecords } from '@homeport/contract/domains/schema';
import type { Problem } from '@homeport/contract/problems/schema';
import type { Payload } from '@homeport/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf } from '../http/testing.ts';
import { plantApp, plantServer } from '../testing/plant.ts';
import { type CloudflareConsole, linkToken, startCloudflareConsole } from './testing/linked-zones.ts';

let linked: CloudflareConsole;
let zone: string;
let app: { id: string };
let server: { id: string };
const domains = ['shop.example.com', 'tides.example.com', 'many.example.com', 'www.elsewhere.example'];
beforeAll(async () => {
  linked = await startCloudflareConsole();
  const { cloudflare, ines, api } = linked;
  zone = await cloudflare.addZone('example.com');
  server = await plantServer(api.store.db, ines.userId, { ip: '198.51.100.7' });
  app = await plantApp(api.store.db, ines.userId, server.id, { domains });
  await linkToken(linked, ines);
});
afterAll(() => linked?.[Symbol.asyncDispose]());

const look = async (domain: string) =>
  bodyOf<AppDns>(await linked.ines.call(`GET /api/apps/${app.id}/dns?domain=${domain}`), 200);
const point = (domain: string, seen: string[]) =>
  linked.ines.call(`POST /api/apps/${app.id}/dns`, { domain, seen });

test('a domain without a record gets one, DNS only, because its certificate comes first', async () => {
  expect(await look('shop.example.com')).toMatchObject({ kind: 'missing', address: '198.51.100.7', now: [] });
  expect(bodyOf<AppDns>(await point('shop.example.com', []), 200)).toMatchObject({
    kind: 'in_place',
    now: [{ type: 'A', content: '198.51.100.7', proxied: false, ttl: 1, pointsAt: { kind: 'app' } }],
  });
});

test('a record that leads elsewhere gets the app’s address, and keeps its proxy', async () => {
  const id = await linked.cloudflare.addRecord(zone, {
    type: 'A',
    name: 'tides',
    content: '203.0.113.9',
    proxied: true,
  });
  expect(await look('tides.example.com')).toMatchObject({ kind: 'elsewhere', now: [{ id }] });
  const refused = bodyOf<Problem>(await point('tides.example.com', []), 409);
  expect(refused.message).toContain('Other records stand at this name');
  expect(bodyOf<AppDns>(await point('tides.example.com', [id]), 200)).toMatchObject({
    kind: 'in_place',
    now: [{ id, content: '198.51.100.7', proxied: true }],
  });
});

test('several records are replaced in one batch', async () => {
  const seen = await linked.cloudflare.addRecords(zone, [
    { type: 'A', name: 'many', content: '203.0.113.9' },
    { type: 'A', name: 'many', content: '198.51.100.7' },
    { type: 'AAAA', name: 'many', content: '2001:db8::1' },
  ]);
  expect((await look('many.example.com')).kind).toBe('elsewhere');
  await linked.cloudflare.forgetExchanges();
  expect(bodyOf<AppDns>(await point('many.example.com', seen), 200)).toMatchObject({
    kind: 'in_place',
    now: [{ content: '198.51.100.7' }],
  });
  const exchanges = await linked.cloudflare.exchanges();
  expect(exchanges.filter(({ method }) => method !== 'GET').map(({ path }) => path)).toEqual([
    `/zones/${zone}/dns_records/batch`,
  ]);
});

test('a wildcard that leads to the server is enough, and one that leads elsewhere stays', async () => {
  const wild = await linked.cloudflare.addRecord(zone, {
    type: 'A',
    name: '*.apps',
    content: '198.51.100.7',
  });
  expect((await look('ledger.apps.example.com')).kind).toBe('in_place');
  await linked.cloudflare.changeRecord(zone, wild, { content: '203.0.113.9' });
  expect(await look('ledger.apps.example.com')).toMatchObject({ kind: 'missing', now: [] });
});

test('a domain for an app that is not there yet is looked up by its server', async () => {
  const of = async (domain: string) =>
    bodyOf<AppDns>(await linked.ines.call(`GET /api/servers/${server.id}/dns?domain=${domain}`), 200);
  expect(await of('new.example.com')).toMatchObject({ kind: 'missing', address: '198.51.100.7', now: [] });
  expect(await of('tides.example.com')).toMatchObject({ kind: 'in_place' });
  expect(await of('www.elsewhere.example')).toEqual({ kind: 'no_zone', linked: true });
  expect((await linked.ines.call(`GET /api/servers/${server.id}/dns`)).status).toBe(400);
});

test('a domain outside the linked zones has nothing to offer', async () => {
  expect(await look('www.elsewhere.example')).toEqual({ kind: 'no_zone', linked: true });
});

test('a certificate’s checks ask the zone too, which knows a change before DNS does', async () => {
  const inZone = async (id: string) => {
    const checks = bodyOf<HttpsCheck[]>(await linked.ines.call(`POST /api/apps/${id}/https/checks`), 200);
    return checks
      .filter(({ check }) => check === 'in_zone')
      .map(({ domain, ok, text }) => ({ domain, ok, text }));
  };
  const good = 'At Cloudflare its record leads to this server.';
  expect(await inZone(app.id)).toEqual([
    { domain: 'shop.example.com', ok: true, text: good },
    { domain: 'tides.example.com', ok: false, text: expect.stringContaining('Switch it to DNS Only') },
    { domain: 'many.example.com', ok: true, text: good },
  ]);
  await linked.cloudflare.addRecord(zone, { type: 'A', name: 'away', content: '203.0.113.9' });
  const { api, ines } = linked;
  const other = await plantApp(api.store.db, ines.userId, server.id, {
    domains: ['away.example.com', 'gone.example.com'],
  });
  expect(await inZone(other.id)).toEqual([
    {
      domain: 'away.example.com',
      ok: false,
      text: 'At Cloudflare it leads to 203.0.113.9, not to this server.',
    },
    {
      domain: 'gone.example.com',
      ok: false,
      text: 'Your domain example.com at Cloudflare has no record for it.',
    },
  ]);
}, 60_000);

test('the records of an app and of a server are found, and removed together', async () => {
  const named = (found: PointingRecords) => found.records.map(({ record }) => record.name).sort();
  const ofApp = bodyOf<PointingRecords>(await linked.ines.call(`GET /api/apps/${app.id}/records`), 200);
  expect(named(ofApp)).toEqual(['many.example.com', 'shop.example.com', 'tides.example.com']);
  await linked.cloudflare.addRecord(zone, { type: 'A', name: 'bare', content: '198.51.100.7' });
  const ofServer = bodyOf<PointingRecords>(
    await linked.ines.call(`GET /api/servers/${server.id}/records`),
    200,
  );
  expect(named(ofServer)).toEqual(['bare.example.com', ...named(ofApp)]);

  const heard: Payload<'changed'>[] = [];
  await linked.api.store.listener.on('changed', (change) => heard.push(change));
  const records = ofServer.records.map(({ record }) => record.id);
  const removal = { zones: [{ zone, records }] };
  expect(bodyOf(await linked.ines.call('POST /api/zones/remove-records', removal), 200)).toEqual({
    removed: 4,
  });
  const after = bodyOf<PointingRecords>(await linked.ines.call(`GET /api/servers/${server.id}/records`), 200);
  expect(after.records).toEqual([]);
  await expect.poll(() => heard).toContainEqual({ owner: linked.ines.userId, topic: 'zones', id: zone });
});
