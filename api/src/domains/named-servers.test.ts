import type { AppDns, DnsRecordList, PointingRecords } from '@homeport/contract/domains/schema';
import type { ResolveAll } from '@homeport/egress';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bodyOf, type TestPerson } from '../http/testing.ts';
import { plantApp, plantServer, randomName } from '../testing/plant.ts';
import { type CloudflareConsole, linkToken, startCloudflareConsole } from './testing/linked-zones.ts';

/** Servers that are known by a name. */
let linked: CloudflareConsole;
let person: TestPerson;
let zoneName: string;
let zone: string;
let names: Record<string, string[] | 'silent'>;
const resolveServer: ResolveAll = (name, _options, done) => {
  const found = names[name] ?? [];
  if (found === 'silent') return done(Object.assign(new Error(name), { code: 'ETIMEOUT' }), []);
  done(
    null,
    found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  );
};

beforeAll(async () => {
  linked = await startCloudflareConsole(
    { signUps: 'open', appDomain: 'apps.homeport.example' },
    { resolveServer },
  );
});
afterAll(() => linked?.[Symbol.asyncDispose]());
beforeEach(async () => {
  names = { 'vps.example.net': ['203.0.113.7', '2001:db8::7'] };
  person = await linked.api.signUp(randomName());
  zoneName = `${randomName()}.example`;
  zone = await linked.cloudflare.addZone(zoneName);
  await linkToken(linked, person);
});

const record = (type: string, label: string, content: string) =>
  linked.cloudflare.addRecord(zone, { type, name: label, content });

async function appAt(ip: string, labels: string[]) {
  const { api } = linked;
  const server = await plantServer(api.store.db, person.userId, { ip });
  const domains = labels.map((label) => `${label}.${zoneName}`);
  const app = await plantApp(api.store.db, person.userId, server.id, { domains });
  const dns = `/api/apps/${app.id}/dns`;
  return {
    server,
    app,
    look: (label: string) => person.call(`GET ${dns}?domain=${label}.${zoneName}`),
    point: (label: string, seen: string[]) =>
      person.call(`POST ${dns}`, { domain: `${label}.${zoneName}`, seen }),
    pointing: async (what: string) =>
      bodyOf<PointingRecords>(await person.call(`GET /api/${what}/records`), 200),
  };
}
const kindOf = (answer: Parameters<typeof bodyOf>[0]) => bodyOf<AppDns>(answer, 200).kind;
/** Those of this test's zone: the stand-in lists the zones of all tests. */
const shown = ({ records }: PointingRecords) =>
  records
    .filter((each) => each.zoneId === zone)
    .map(({ record: { type, name } }) => `${type} ${name.split('.')[0]}`)
    .sort();
const listed = async () =>
  new Map(
    bodyOf<DnsRecordList>(await person.call(`GET /api/zones/${zone}/records`), 200).records.map(
      ({ name, pointsAt }) => [name.split('.')[0], pointsAt],
    ),
  );

test('a domain gets a CNAME to the name, and a record to an address of the name is in place as well', async () => {
  const { look, point } = await appAt('vps.example.net', ['www', 'flat', 'six', 'away']);
  expect(bodyOf<AppDns>(await look('www'), 200)).toMatchObject({
    kind: 'missing',
    address: 'vps.example.net',
  });
  expect(bodyOf<AppDns>(await point('www', []), 200)).toMatchObject({
    kind: 'in_place',
    now: [{ type: 'CNAME', content: 'vps.example.net', proxied: false, pointsAt: { kind: 'app' } }],
  });
  await record('A', 'flat', '203.0.113.7');
  await record('AAAA', 'six', '2001:db8:0:0:0:0:0:7');
  await record('A', 'away', '203.0.113.8');
  expect([kindOf(await look('flat')), kindOf(await look('six')), kindOf(await look('away'))]).toEqual([
    ...['in_place', 'in_place', 'elsewhere'],
  ]);
});

test('a domain that is the server’s own name is in place, and gets no record to itself', async () => {
  const own = `self.${zoneName}`;
  names[own] = ['203.0.113.7'];
  const { look, point } = await appAt(own, ['self']);
  expect(kindOf(await look('self'))).toBe('in_place');
  expect(kindOf(await point('self', []))).toBe('in_place');
  expect(await linked.cloudflare.recordsOf(zone)).toEqual([]);
});

test.each(['silent', []] as const)(
  'while the addresses of the name are %j, no record is offered for replacement, and none is replaced',
  async (answer) => {
    const { look, point } = await appAt('vps.example.net', ['flat']);
    const id = await record('A', 'flat', '203.0.113.7');
    names['vps.example.net'] = answer === 'silent' ? answer : [];
    for (const asked of [await look('flat'), await point('flat', [id])])
      expect(asked).toMatchObject({
        status: 503,
        body: { message: expect.stringContaining('vps.example.net') },
      });
    expect(await linked.cloudflare.recordsOf(zone)).toMatchObject([{ type: 'A', content: '203.0.113.7' }]);
  },
);

test('records to the name and to its addresses are found when the app or the server goes', async () => {
  const { app, server, pointing } = await appAt('vps.example.net', ['flat', 'six', 'alias', 'away']);
  await record('A', 'flat', '203.0.113.7');
  await record('AAAA', 'six', '2001:db8::7');
  await record('CNAME', 'alias', 'vps.example.net');
  await record('A', 'away', '203.0.113.8');
  for (const what of [`apps/${app.id}`, `servers/${server.id}`])
    expect(shown(await pointing(what))).toEqual(['A flat', 'AAAA six', 'CNAME alias']);
  for (const answer of ['silent', []] as const) {
    names['vps.example.net'] = answer === 'silent' ? answer : [];
    const later = await pointing(`servers/${server.id}`);
    expect(later.unknownName).toBe('vps.example.net');
    expect(shown(later)).toEqual(['CNAME alias']);
  }
});

test('a record to another server’s own address is not offered when a name leads there too', async () => {
  const { server, pointing } = await appAt('vps.example.net', []);
  await plantServer(linked.api.store.db, person.userId, { ip: '203.0.113.7' });
  await record('A', 'flat', '203.0.113.7');
  await record('CNAME', 'alias', 'vps.example.net');
  expect(shown(await pointing(`servers/${server.id}`))).toEqual(['CNAME alias']);
});

test('records of a machine that was removed by its address and linked again by a name are not former', async () => {
  const { db } = linked.api.store;
  const former = await plantServer(db, person.userId, { name: 'skerry', ip: '203.0.113.7' });
  await plantServer(db, person.userId, { ip: '203.0.113.9' });
  await db.deleteFrom('servers').where('id', '=', former.id).execute();
  await record('A', 'live', '203.0.113.7');
  expect((await listed()).get('live')).toMatchObject({ kind: 'former', name: 'skerry' });
  await plantServer(db, person.userId, { name: 'again', ip: 'vps.example.net' });
  expect((await listed()).get('live')).toMatchObject({ kind: 'server', name: 'again' });
  for (const answer of ['silent', []] as const) {
    names['vps.example.net'] = answer === 'silent' ? answer : [];
    expect((await listed()).get('live')).toEqual({ kind: 'nothing' });
  }
});

test('a CNAME to the name of a removed server is not former: its machine may be linked by its address', async () => {
  const { db } = linked.api.store;
  const former = await plantServer(db, person.userId, { ip: 'vps.example.net' });
  await db.deleteFrom('servers').where('id', '=', former.id).execute();
  await record('CNAME', 'alias', 'vps.example.net');
  expect((await listed()).get('alias')).toEqual({ kind: 'nothing' });
});

test('a CNAME beneath the subdomain of a server with a name leads nowhere: nobody makes its wildcard', async () => {
  const { server, look } = await appAt('vps.example.net', ['www', 'old']);
  const { db } = linked.api.store;
  const { subdomain } = await db
    .selectFrom('servers')
    .select('subdomain')
    .where('id', '=', server.id)
    .executeTakeFirstOrThrow();
  await record('CNAME', 'www', `x.${subdomain}.apps.homeport.example`);
  expect(kindOf(await look('www'))).toBe('elsewhere');
  await db.updateTable('servers').set({ ip: '203.0.113.7' }).where('id', '=', server.id).execute();
  expect(kindOf(await look('www'))).toBe('in_place');
});
