import type { AppDns, PointingRecords } from '@homeport/contract/domains/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf } from '../http/testing.ts';
import { plantApp, plantServer } from '../testing/plant.ts';
import { type CloudflareConsole, linkToken, startCloudflareConsole } from './testing/linked-zones.ts';

/** A server that is known by an IPv6 address. */
let linked: CloudflareConsole;
let zone: string;
beforeAll(async () => {
  linked = await startCloudflareConsole();
  zone = await linked.cloudflare.addZone('example.com');
  await linkToken(linked, linked.ines);
});
afterAll(() => linked?.[Symbol.asyncDispose]());

async function appAt(ip: string, domains: string[]) {
  const { api, ines } = linked;
  const server = await plantServer(api.store.db, ines.userId, { ip });
  const app = await plantApp(api.store.db, ines.userId, server.id, { domains });
  return {
    server,
    app,
    look: async (domain: string) =>
      bodyOf<AppDns>(await ines.call(`GET /api/apps/${app.id}/dns?domain=${domain}`), 200),
    point: async (domain: string, seen: string[]) =>
      bodyOf<AppDns>(await ines.call(`POST /api/apps/${app.id}/dns`, { domain, seen }), 200),
    recordsOf: async (what: string) =>
      bodyOf<PointingRecords>(await ines.call(`GET /api/${what}/records`), 200).records.map(
        ({ record }) => record.name,
      ),
  };
}

test('a domain gets an AAAA record to an IPv6 address, and its A record goes', async () => {
  const { app, server, look, point, recordsOf } = await appAt('2001:db8::7', [
    'six.example.com',
    'old.example.com',
  ]);
  expect(await look('six.example.com')).toMatchObject({ kind: 'missing', address: '2001:db8::7' });
  expect(await point('six.example.com', [])).toMatchObject({
    kind: 'in_place',
    now: [{ type: 'AAAA', content: '2001:db8::7', proxied: false, pointsAt: { kind: 'app' } }],
  });
  const old = await linked.cloudflare.addRecord(zone, { type: 'A', name: 'old', content: '203.0.113.9' });
  expect(await look('old.example.com')).toMatchObject({ kind: 'elsewhere' });
  expect((await point('old.example.com', [old])).kind).toBe('in_place');
  expect((await recordsOf(`apps/${app.id}`)).sort()).toEqual(['old.example.com', 'six.example.com']);
  expect((await recordsOf(`servers/${server.id}`)).sort()).toEqual(['old.example.com', 'six.example.com']);
});
