import type { DnsRecord, DnsRecordList, RecordInput, Zone } from '@homeport/contract/domains/schema';
import type { Problem } from '@homeport/contract/problems/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf } from '../http/testing.ts';
import { plantApp, plantProxy, plantServer } from '../testing/plant.ts';
import { type CloudflareConsole, linkToken, startCloudflareConsole } from './testing/linked-zones.ts';

let linked: CloudflareConsole;
let zone: string;
beforeAll(async () => {
  linked = await startCloudflareConsole();
  zone = await linked.cloudflare.addZone('northquay.example');
  await linked.cloudflare.addZone('secondary.example', 'secondary');
  await linkToken(linked, linked.ines);
});
afterAll(() => linked?.[Symbol.asyncDispose]());

const list = async () =>
  bodyOf<DnsRecordList>(await linked.ines.call(`GET /api/zones/${zone}/records`), 200).records;
const add = (record: RecordInput, replaces: string[] = []) =>
  linked.ines.call(`POST /api/zones/${zone}/records`, { record, replaces });
const a = (
  host: string,
  content: string,
  more: Partial<{ ttl: number; proxied: boolean }> = {},
): RecordInput => ({
  type: 'A',
  host,
  content,
  ttl: 1,
  proxied: false,
  ...more,
});

test.each<[RecordInput, Partial<DnsRecord>]>([
  [
    a('www', '203.0.113.24', { proxied: true, ttl: 300 }),
    { name: 'www.northquay.example', ttl: 1, proxied: true },
  ],
  [a('@', '203.0.113.24', { ttl: 300 }), { name: 'northquay.example', ttl: 300 }],
  [
    { type: 'AAAA', host: 'six', content: '2001:db8::24', ttl: 1, proxied: false },
    { type: 'AAAA', content: '2001:db8::24' },
  ],
  [
    { type: 'CNAME', host: '*.wild', content: 'www.northquay.example.', ttl: 1, proxied: false },
    { name: '*.wild.northquay.example', content: 'www.northquay.example' },
  ],
  [{ type: 'TXT', host: '_dmarc', content: 'v=DMARC1; p=none', ttl: 3600 }, { content: 'v=DMARC1; p=none' }],
  [
    { type: 'MX', host: '@', content: 'mail.northquay.example', priority: 10, ttl: 1 },
    { priority: 10, content: 'mail.northquay.example' },
  ],
  [
    { type: 'CAA', host: '@', flags: 0, tag: 'issue', value: 'letsencrypt.org', ttl: 1 },
    { caa: { flags: 0, tag: 'issue', value: 'letsencrypt.org' } },
  ],
  [
    {
      type: 'SRV',
      host: '_sip._tcp',
      priority: 1,
      weight: 2,
      port: 5060,
      target: 'sip.northquay.example',
      ttl: 1,
    },
    { srv: { priority: 1, weight: 2, port: 5060, target: 'sip.northquay.example' } },
  ],
])('adds %o', async (record, expected) => {
  const added = bodyOf<DnsRecord>(await add(record), 201);
  expect(added).toMatchObject({ type: record.type, ...expected });
  expect(await list()).toContainEqual(added);
});

test('a name in Unicode is sent as Punycode and shown as it was typed', async () => {
  const added = bodyOf<DnsRecord>(await add(a('Müller', '203.0.113.24')), 201);
  expect(added).toMatchObject({
    name: 'xn--mller-kva.northquay.example',
    shownName: 'müller.northquay.example',
  });
});

test.each([30, 59, 86_401, 0, 1.5])(
  'a TTL of %d is refused in the words of the specification',
  async (ttl) => {
    const problem = bodyOf<Problem>(await add(a('ttl', '203.0.113.24', { ttl })), 400);
    expect(Object.values(problem.fields ?? {})).toContain(
      'TTL must be between 60 and 86400, or 1 for automatic',
    );
  },
);

test('Cloudflare’s reason stands beside the field', async () => {
  await add(a('taken', '203.0.113.24'));
  const clash = await add({
    type: 'CNAME',
    host: 'taken',
    content: 'elsewhere.example',
    ttl: 1,
    proxied: false,
  });
  expect(bodyOf<Problem>(clash, 400)).toMatchObject({
    message: 'Error adding record',
    fields: { 'record.host': 'Cloudflare: An A, AAAA, or CNAME record with that host already exists.' },
  });
  const [record] = (await list()).filter(({ name }) => name === 'taken.northquay.example');
  const edit = { record: { ...a('taken', '127.0.0.1'), proxied: true } };
  const refused = await linked.ines.call(`PATCH /api/zones/${zone}/records/${record?.id}`, edit);
  expect(bodyOf<Problem>(refused, 400)).toMatchObject({
    message: 'Error updating record',
    fields: { 'record.content': 'Cloudflare: Target is not allowed for a proxied record.' },
  });
});

test('an edit is a PATCH, so that comment and proxy survive', async () => {
  const id = await linked.cloudflare.addRecord(zone, {
    type: 'A',
    name: 'kept',
    content: '203.0.113.24',
    proxied: true,
    comment: 'made by hand',
  });
  const edit = { record: a('kept', '203.0.113.25', { proxied: true }) };
  const path = `/api/zones/${zone}/records/${id}`;
  const edited = bodyOf<DnsRecord>(await linked.ines.call(`PATCH ${path}`, edit), 200);
  expect(edited).toMatchObject({ content: '203.0.113.25', proxied: true, comment: 'made by hand' });
  expect((await linked.cloudflare.exchanges()).map(({ method }) => method)).not.toContain('PUT');
});

test('the same record that somebody else added first is no failure', async () => {
  await linked.cloudflare.addRecord(zone, { type: 'A', name: 'race', content: '203.0.113.24' });
  expect((await add(a('race', '203.0.113.24'))).status).toBe(201);
  expect((await list()).filter(({ name }) => name === 'race.northquay.example')).toHaveLength(1);
});

test('replacing records is one batch, of which a refusal undoes all', async () => {
  const old = bodyOf<DnsRecord>(await add(a('swap', '203.0.113.24')), 201);
  const swapped = await add(
    { type: 'CNAME', host: 'swap', content: 'www.northquay.example', ttl: 1, proxied: false },
    [old.id],
  );
  expect(bodyOf<DnsRecord>(swapped, 201).type).toBe('CNAME');
  const [now] = (await list()).filter(({ name }) => name === 'swap.northquay.example');
  const refused = await add({ type: 'A', host: 'swap', content: '127.0.0.1', ttl: 1, proxied: true }, [
    now?.id ?? '',
  ]);
  expect(refused.status).toBe(400);
  expect((await list()).filter(({ name }) => name === 'swap.northquay.example')).toEqual([now]);
});

test('a new record lets the domains of proxies in its zone be looked at at once, and no others', async () => {
  const { db } = linked.api.store;
  const later = Date.now() + 3_600_000;
  const plant = (domain: string) =>
    plantProxy(db, linked.ines.userId, { domain, check_due_at: later }).then(({ id }) => id);
  const [inside, served, outside] = [
    await plant('inside.northquay.example'),
    await plant('served.northquay.example'),
    await plant('outside-northquay.example'),
  ];
  await db.updateTable('proxies').set({ allowed: true }).where('id', '=', served).execute();
  bodyOf(
    await add({ type: 'CNAME', host: 'inside', content: 'proxy.homeport.example', ttl: 1, proxied: false }),
    201,
  );
  const rows = await db.selectFrom('proxies').select(['id', 'check_due_at']).execute();
  const due = new Map(rows.map(({ id, check_due_at }) => [id, check_due_at]));
  expect(due.get(inside)).toBeLessThan(later);
  expect([due.get(served), due.get(outside)]).toEqual([later, later]);
});

test('a record is deleted once, and a second time without an error', async () => {
  const { id } = bodyOf<DnsRecord>(await add(a('gone', '203.0.113.24')), 201);
  const path = `DELETE /api/zones/${zone}/records/${id}`;
  expect([(await linked.ines.call(path)).status, (await linked.ines.call(path)).status]).toEqual([200, 200]);
  expect((await list()).map((record) => record.id)).not.toContain(id);
});

test('the records of a secondary zone are shown and not changed', async () => {
  const zones = bodyOf<{ zones: Zone[] }>(await linked.ines.call('GET /api/zones'), 200).zones;
  const secondary = zones.find(({ type }) => type === 'secondary');
  expect(secondary?.editable).toBe(false);
  expect((await linked.ines.call(`GET /api/zones/${secondary?.id}/records`)).status).toBe(200);
  await linked.cloudflare.forgetExchanges();
  const refused = await linked.ines.call(`POST /api/zones/${secondary?.id}/records`, {
    record: a('www', '203.0.113.24'),
  });
  expect(bodyOf<Problem>(refused, 409).message).toContain('records come from another DNS service');
  expect(await linked.cloudflare.exchanges()).toHaveLength(0);
});

test('each record says what it points at', async () => {
  const { db } = linked.api.store;
  const owner = linked.ines.userId;
  const server = await plantServer(db, owner, { name: 'lantern', ip: '198.51.100.7' });
  const gone = await plantServer(db, owner, { name: 'skerry', ip: '198.51.100.8' });
  await plantApp(db, owner, server.id, { name: 'ledger', domains: ['ledger.northquay.example'] });
  await db.deleteFrom('servers').where('id', '=', gone.id).execute();
  const { cloudflare } = linked;
  await cloudflare.addRecord(zone, { type: 'A', name: 'ledger', content: '198.51.100.7' });
  await cloudflare.addRecord(zone, { type: 'A', name: 'bare', content: '198.51.100.7' });
  await cloudflare.addRecord(zone, { type: 'CNAME', name: 'alias', content: 'bare.northquay.example' });
  await cloudflare.addRecord(zone, { type: 'A', name: 'old', content: '198.51.100.8' });
  await cloudflare.addRecord(zone, { type: 'CNAME', name: 'away', content: 'pages.example' });
  await cloudflare.addRecord(zone, { type: 'CNAME', name: 'loop1', content: 'loop2.northquay.example' });
  await cloudflare.addRecord(zone, { type: 'CNAME', name: 'loop2', content: 'loop1.northquay.example' });
  const proxy = await plantProxy(db, owner, { name: 'Merged sites', domain: 'merged.northquay.example' });
  for (const name of ['merged', 'unmerged'])
    await cloudflare.addRecord(zone, { type: 'CNAME', name, content: 'proxy.homeport.example' });
  const records = await list();
  const at = (name: string) => records.find((each) => each.name === `${name}.northquay.example`)?.pointsAt;
  expect(at('ledger')).toMatchObject({ kind: 'app', name: 'ledger' });
  expect(at('bare')).toMatchObject({ kind: 'server', name: 'lantern' });
  expect(at('alias')).toMatchObject({ kind: 'server', name: 'lantern' });
  expect(at('old')).toMatchObject({ kind: 'former', name: 'skerry' });
  expect(at('away')).toEqual({ kind: 'nothing' });
  expect(at('merged')).toEqual({ kind: 'proxy', name: 'Merged sites', id: proxy.id });
  expect(at('unmerged')).toEqual({ kind: 'nothing' });
  expect(at('loop1')).toEqual({ kind: 'nothing' });
  expect(at('_dmarc')).toBeNull();
});

test('a zone of 5,000 records is read whole', async () => {
  const big = await linked.cloudflare.addZone('big.example');
  const many = Array.from({ length: 5_000 }, (_, at) => ({
    ...{ type: 'A', name: `host-${at}`, content: `10.0.${at >> 8}.${at & 255}` },
  }));
  await linked.cloudflare.addRecords(big, many);
  bodyOf(await linked.ines.call('POST /api/zones/refresh', { byHand: true }), 200);
  const { records, more } = bodyOf<DnsRecordList>(
    await linked.ines.call(`GET /api/zones/${big}/records`),
    200,
  );
  expect(new Set(records.map(({ name }) => name)).size).toBe(5_000);
  expect(more).toBe(false);
});
