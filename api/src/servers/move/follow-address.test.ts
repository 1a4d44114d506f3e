import { randomUUID } from 'node:crypto';
import type { DnsRecordList, PointingRecords } from '@homeport/contract/domains/schema';
import { ceilings } from '@homeport/contract/limits';
import type { Operation } from '@homeport/contract/operations/schema';
import type { Server } from '@homeport/contract/servers/schema';
import type { ResolveAll } from '@homeport/egress';
import { type CloudflareProcess, startCloudflare } from '@homeport/stand-ins/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { linkToken } from '../../domains/testing/linked-zones.ts';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '../../http/testing.ts';
import { followToEnd } from '../../testing/page.ts';
import { plantApp, plantServer, randomName } from '../../testing/plant.ts';

const token = `cfut_${'f'.repeat(48)}`;
let cloudflare: CloudflareProcess;
let api: TestApi;
let ines: TestPerson;
let zone: string;
let shared: string;
/** Each test has addresses of its own. */
let test = 0;
let from: string;
let to: string;
/** Where the names of servers lead. */
let names: Record<string, string>;
const resolveServer: ResolveAll = (name, _options, done) =>
  done(null, names[name] === undefined ? [] : [{ address: names[name], family: 4 }]);

beforeAll(async () => {
  cloudflare = await startCloudflare();
  zone = await cloudflare.addZone('northquay.example');
  shared = await cloudflare.addZone('example.com');
  await cloudflare.grant({ secret: token });
  api = await startTestApi(
    { appDomain: 'apps.example.com', appDomainToken: token, cloudflareUrl: cloudflare.url },
    { resolveServer },
  );
  ines = await api.signUp('ines');
  await linkToken({ cloudflare }, ines);
}, 120_000);
beforeEach(() => {
  test += 1;
  from = `192.0.2.${test}`;
  to = `198.51.100.${test}`;
  names = {};
});
afterEach(async () => {
  await cloudflare.answerWell();
  for (const each of [zone, shared]) await cloudflare.removeRecords(each);
});
afterAll(async () => {
  await api?.[Symbol.asyncDispose]();
  await cloudflare?.[Symbol.asyncDispose]();
});

/** A server that is set up: Dokku runs its apps. */
async function serverAt(ip: string, facts: Parameters<typeof plantServer>[2] = {}): Promise<Server> {
  const { id } = await plantServer(api.store.db, ines.userId, {
    ...{ name: 'pier', ip, credential: 'password', setup: 'ready', subdomain: randomName() },
    ...facts,
  });
  return bodyOf<Server>(await ines.call(`GET /api/servers/${id}`), 200);
}

async function recordsTo(server: Server) {
  const { records } = bodyOf<PointingRecords>(await ines.call(`GET /api/servers/${server.id}/records`), 200);
  return records.map(({ zoneId, record: { id, name } }) => ({ zone: zoneId, record: id, dnsName: name }));
}

const put = (server: Server, body: object) =>
  ines.call(`PUT /api/servers/${server.id}/address`, { version: server.version, ip: to, port: 22, ...body });

async function move(server: Server, body: object): Promise<{ server: Server; operation: Operation }> {
  const moved = bodyOf<{ server: Server; operation: Operation }>(await put(server, body), 200);
  return { ...moved, operation: (await followToEnd(ines, moved.operation.id)).operation };
}

const stepOf = ({ steps }: Operation, wanted: string) => steps.find(({ key }) => key === wanted);
/** As the console reads them, with their comments. */
const recordsRead = async () =>
  bodyOf<DnsRecordList>(await ines.call(`GET /api/zones/${zone}/records`), 200).records;
const contentsOf = async (of: string) =>
  Object.fromEntries((await cloudflare.recordsOf(of)).map(({ name, content }) => [name, content]));

describe('DNS of a server that got another address', () => {
  it('follows with the chosen records, and keeps what they have besides', async () => {
    const server = await serverAt(from);
    await cloudflare.addRecord(zone, {
      type: 'A',
      name: 'box',
      content: from,
      proxied: true,
      comment: 'ours',
    });
    await cloudflare.addRecord(zone, { type: 'A', name: 'away', content: '203.0.113.9' });
    const { server: moved, operation } = await move(server, { records: await recordsTo(server) });
    expect(moved.ip).toBe(to);
    expect(stepOf(operation, 'dns')).toMatchObject({
      ...{ state: 'done', note: `Changed to ${to} at Cloudflare: box.northquay.example.` },
    });
    expect(await recordsRead()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          name: 'box.northquay.example',
          content: to,
          proxied: true,
          comment: 'ours',
        }),
        expect.objectContaining({ name: 'away.northquay.example', content: '203.0.113.9' }),
      ]),
    );
  }, 60_000);

  it('gets records of another type for an address of the other kind', async () => {
    const server = await serverAt(from);
    await cloudflare.addRecord(zone, { type: 'A', name: 'box', content: from, comment: 'ours' });
    const { operation } = await move(server, { ip: '2001:db8::7', records: await recordsTo(server) });
    expect(operation.state).toBe('succeeded');
    expect(await recordsRead()).toMatchObject([
      { type: 'AAAA', name: 'box.northquay.example', content: '2001:db8::7', comment: 'ours' },
    ]);
  }, 60_000);

  it('leaves a record that was led elsewhere meanwhile', async () => {
    const server = await serverAt(from);
    await cloudflare.addRecord(zone, { type: 'A', name: 'box', content: from });
    const records = await recordsTo(server);
    for (const { id } of await cloudflare.recordsOf(zone))
      await cloudflare.changeRecord(zone, id, { content: '203.0.113.9' });
    const { operation } = await move(server, { records });
    expect(stepOf(operation, 'dns')).toMatchObject({
      ...{ state: 'skipped', note: 'No longer there, or leading elsewhere by now: box.northquay.example.' },
    });
    expect(await contentsOf(zone)).toEqual({ 'box.northquay.example': '203.0.113.9' });
  }, 60_000);

  it('names what is left where Cloudflare cannot be reached, and the server has moved', async () => {
    const server = await serverAt(from);
    await cloudflare.addRecord(zone, { type: 'A', name: 'box', content: from });
    const records = await recordsTo(server);
    await cloudflare.answerBadly('hang_up');
    const { server: moved, operation } = await move(server, { records });
    expect(moved.ip).toBe(to);
    expect(stepOf(operation, 'dns')).toMatchObject({
      state: 'warned',
      note: expect.stringMatching(/^Not changed at Cloudflare: box\.northquay\.example\. .*Change it on/),
    });
  }, 60_000);

  it('leaves the name that a server gets, with what it leads through', async () => {
    const server = await serverAt(from);
    const name = 'box.northquay.example';
    // Cloudflare answers for a proxied record itself, so that DNS does not show where it leads.
    names[name] = '203.0.113.50';
    await cloudflare.addRecord(zone, { type: 'CNAME', name: 'box', content: 'host.northquay.example' });
    for (const each of ['host', '*', 'www'])
      await cloudflare.addRecord(zone, { type: 'A', name: each, content: from, proxied: true });
    const { operation } = await move(server, { ip: name, records: await recordsTo(server) });
    expect(stepOf(operation, 'dns')).toMatchObject({
      state: 'done',
      note: expect.stringMatching(
        /^Changed to box\.northquay\.example at Cloudflare: www\.northquay\.example\. Left, because .*: \*\.northquay\.example, host\.northquay\.example\.$/,
      ),
    });
    expect(await contentsOf(zone)).toEqual({
      [name]: 'host.northquay.example',
      'host.northquay.example': from,
      '*.northquay.example': from,
      'www.northquay.example': name,
    });
  }, 60_000);

  it('leaves records that lead to the addresses of the name already', async () => {
    const server = await serverAt(from);
    names['mole.northquay.example'] = from;
    for (const each of ['mole', 'www'])
      await cloudflare.addRecord(zone, { type: 'A', name: each, content: from });
    const records = await recordsTo(server);
    const { operation } = await move(server, { ip: 'mole.northquay.example', records });
    expect(stepOf(operation, 'dns')).toMatchObject({ state: 'skipped' });
    expect(await contentsOf(zone)).toEqual({
      'mole.northquay.example': from,
      'www.northquay.example': from,
    });
  }, 60_000);

  it('does not take those of another server behind the same address', async () => {
    const server = await serverAt(from);
    const { id: other } = await plantServer(api.store.db, ines.userId, {
      name: 'jetty',
      ip: from,
      port: 2222,
    });
    await plantApp(api.store.db, ines.userId, server.id, { domains: ['shop.northquay.example'] });
    await plantApp(api.store.db, ines.userId, other, { domains: ['blog.northquay.example'] });
    for (const each of ['shop', 'blog', 'box'])
      await cloudflare.addRecord(zone, { type: 'A', name: each, content: from });
    expect((await recordsTo(server)).map(({ dnsName }) => dnsName)).toEqual(['shop.northquay.example']);
  }, 60_000);

  it('goes on after a clash at one name, and takes away what stands there already', async () => {
    const server = await serverAt(from);
    names['mast.example.net'] = to;
    await cloudflare.addRecord(zone, { type: 'A', name: 'clash', content: from });
    await cloudflare.addRecord(zone, { type: 'A', name: 'clash', content: '203.0.113.9' });
    await cloudflare.addRecord(zone, { type: 'A', name: 'last', content: from });
    const { operation } = await move(server, { ip: 'mast.example.net', records: await recordsTo(server) });
    expect(stepOf(operation, 'dns')).toMatchObject({
      state: 'warned',
      note: expect.stringMatching(
        /^Changed to mast\.example\.net at Cloudflare: last\.northquay\.example\. Not changed at Cloudflare: clash\.northquay\.example\. Cloudflare refused: .* Change it on the page of its domain\.$/,
      ),
    });
    expect((await cloudflare.recordsOf(zone)).map(({ content }) => content).sort()).toEqual(
      [from, '203.0.113.9', 'mast.example.net'].sort(),
    );
  }, 60_000);

  it('counts what a run that was ended has changed already, also under another id', async () => {
    const server = await serverAt(from);
    for (const each of ['box', 'www'])
      await cloudflare.addRecord(zone, { type: 'A', name: each, content: from });
    const records = await recordsTo(server);
    await cloudflare.removeRecords(zone);
    await cloudflare.addRecord(zone, { type: 'AAAA', name: 'box', content: '2001:db8::9' });
    const { operation } = await move(server, { ip: '2001:db8::9', records });
    expect(stepOf(operation, 'dns')).toMatchObject({
      state: 'done',
      note: 'Changed to 2001:db8::9 at Cloudflare: box.northquay.example. No longer there, or leading elsewhere by now: www.northquay.example.',
    });
  }, 60_000);

  it('takes a record away whose successor stands there already', async () => {
    const server = await serverAt(from);
    await cloudflare.addRecord(zone, { type: 'A', name: 'box', content: from });
    const records = await recordsTo(server);
    await cloudflare.addRecord(zone, { type: 'A', name: 'box', content: to });
    const { operation } = await move(server, { records });
    expect(stepOf(operation, 'dns')).toMatchObject({ state: 'done' });
    expect(await cloudflare.recordsOf(zone)).toMatchObject([{ name: 'box.northquay.example', content: to }]);
  }, 60_000);

  it('keeps neither the address nor an operation where one of them is refused', async () => {
    const server = await serverAt(from);
    await cloudflare.addRecord(zone, { type: 'A', name: 'box', content: from });
    const records = await recordsTo(server);
    const before = bodyOf<Operation[]>(await ines.call('GET /api/operations'), 200).length;
    expect(await put({ ...server, version: 7 }, { records })).toMatchObject({
      ...{ status: 409, body: { code: 'stale_edit' } },
    });
    expect(bodyOf<Operation[]>(await ines.call('GET /api/operations'), 200)).toHaveLength(before);
    expect(bodyOf<Server>(await ines.call(`GET /api/servers/${server.id}`), 200).ip).toBe(from);
  }, 60_000);

  it('keeps the address where no more operations fit', async () => {
    const owner = await api.signUp(randomName());
    const { id } = await plantServer(api.store.db, owner.userId, {
      ip: from,
      setup: 'ready',
      credential: 'password',
    });
    const waiting = {
      ...{ owner_id: owner.userId, session_id: randomUUID(), kind: 'app.start', title: 'Start' },
      ...{ state: 'waiting' as const, steps: '[]', input: '{}', created_at: Date.now() },
    };
    await api.store.db
      .insertInto('operations')
      .values(Array.from({ length: ceilings.operations }, () => ({ ...waiting, lane: randomName() })))
      .execute();
    const call = { version: 1, ip: to, port: 22 };
    expect(await owner.call(`PUT /api/servers/${id}/address`, call)).toMatchObject({
      body: { code: 'limit_reached' },
    });
    expect(bodyOf<Server>(await owner.call(`GET /api/servers/${id}`), 200).ip).toBe(from);
  }, 60_000);
});

describe('the subdomain that a server claimed', () => {
  it('leads to the new address', async () => {
    const server = await serverAt(from);
    const { operation } = await move(server, {});
    expect(stepOf(operation, 'wildcard')).toMatchObject({ state: 'done' });
    expect(await contentsOf(shared)).toEqual({ [`*.${server.subdomain}.apps.example.com`]: to });
  }, 60_000);

  it('is changed, with its record, and the machine keeps the former global domain until somebody chooses', async () => {
    const server = await serverAt(from);
    const former = `*.${server.subdomain}.apps.example.com`;
    await cloudflare.addRecord(shared, { type: 'A', name: former, content: from });
    const { server: moved } = await move(server, { ip: from, subdomain: 'NewQuay' });
    expect(moved).toMatchObject({
      subdomain: 'newquay',
      globalDomains: { found: [`${server.subdomain}.apps.example.com`], kept: false },
    });
    // It stays with its person, and so does the name.
    expect(await contentsOf(shared)).toEqual({ '*.newquay.apps.example.com': from, [former]: from });
    const [event] = bodyOf<{ kind: string; subject: string }[]>(
      await ines.call('GET /api/security-events'),
      200,
    );
    expect(event).toMatchObject({ kind: 'server_moved', subject: 'pier, newquay.apps.example.com' });
  }, 60_000);

  it('fails where Cloudflare cannot be reached, and is changed when the work runs again', async () => {
    const server = await serverAt(from);
    await cloudflare.answerBadly('hang_up');
    const { operation } = await move(server, {});
    expect(operation.state).toBe('failed');
    expect(stepOf(operation, 'wildcard')).toMatchObject({
      state: 'failed',
      note: expect.stringContaining(`*.${server.subdomain}.apps.example.com`),
    });
    await cloudflare.answerWell();
    bodyOf(await ines.call(`POST /api/operations/${operation.id}/retry`), 202);
    expect((await followToEnd(ines, operation.id)).operation.state).toBe('succeeded');
    expect(await contentsOf(shared)).toEqual({ [`*.${server.subdomain}.apps.example.com`]: to });
  }, 60_000);

  it.each([
    ['is read-only', { credential: null, setup: 'ready' }],
    ['was not installed to the end', { setup: 'failed' }],
  ] as const)('follows a server that %s, where it has a record', async (_, facts) => {
    const server = await serverAt(from, facts);
    const name = `*.${server.subdomain}.apps.example.com`;
    await cloudflare.addRecord(shared, {
      ...{ type: 'A', name, content: from, comment: 'Made by Homeport for a claimed subdomain' },
    });
    const { operation } = await move(server, {});
    expect(operation.state).toBe('succeeded');
    expect(await contentsOf(shared)).toEqual({ [name]: to });
  });

  it('gets no record before its server is set up', async () => {
    const { operation } = await move(await serverAt(from, { setup: 'failed' }), {});
    expect(stepOf(operation, 'wildcard')).toMatchObject({ state: 'skipped' });
    expect(await contentsOf(shared)).toEqual({});
  });

  it('is refused where another server has it', async () => {
    const [server, other] = [await serverAt(from), await serverAt(`203.0.113.${test}`)];
    expect(await put(server, { subdomain: other.subdomain })).toMatchObject({
      ...{ status: 400, body: { fields: { subdomain: expect.any(String) } } },
    });
  });

  it('stays while an app has a domain under it, which the next claimant would answer for', async () => {
    const server = await serverAt(from);
    const domain = `shop.${server.subdomain}.apps.example.com`;
    await plantApp(api.store.db, ines.userId, server.id, { name: 'shop', domains: [domain] });
    expect(await put(server, { subdomain: 'otherquay' })).toMatchObject({
      status: 400,
      body: { fields: { subdomain: expect.stringContaining(domain) } },
    });
    expect(bodyOf<Server>(await ines.call(`GET /api/servers/${server.id}`), 200)).toMatchObject({
      ...{ ip: from, subdomain: server.subdomain },
    });
  });
});
