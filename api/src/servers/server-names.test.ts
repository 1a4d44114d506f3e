import { ceilings } from '@homeport/contract/limits';
import { messages } from '@homeport/contract/messages';
import type { Server } from '@homeport/contract/servers/schema';
import type { ResolveAll } from '@homeport/egress';
import { ownerFromSession } from '@homeport/store';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '../http/testing.ts';
import { plantServer, randomName } from '../testing/plant.ts';
import { addServer } from './add-server.ts';

const zone: Record<string, string[]> = {
  'vps.example.com': ['93.184.216.34', '2606:2800:220:1::1'],
  'other.example.com': ['93.184.216.77'],
  'inside.example.com': ['10.0.0.5'],
  'both.example.com': ['93.184.216.34', '127.0.0.1'],
  'metadata.example.com': ['::ffff:169.254.169.254'],
  // 6to4 with 10.0.0.5 inside: in 2000::/3, so that the address alone looks public.
  'inner.example.com': ['2002:a00:5::'],
};
let asked: string[] = [];
/** Called with each question before its answer. */
let meanwhile: () => Promise<unknown>;
const resolveServer: ResolveAll = (name, _options, done) => {
  asked.push(name);
  void meanwhile().then(() => {
    if (name === 'silent.example.com') return done(Object.assign(new Error(name), { code: 'ETIMEOUT' }), []);
    const found = zone[name] ?? [];
    done(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  });
};

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(
    { loopback: false, allowPrivateTargets: false, signUps: 'open' },
    { resolveServer },
  );
});
afterAll(() => api?.[Symbol.asyncDispose]());

let ines: TestPerson;
beforeEach(async () => {
  meanwhile = async () => undefined;
  ines = await api.signUp(randomName());
  asked = [];
});

const link = (ip: string, more: object = {}) =>
  ines.call('POST /api/servers', {
    ...{ name: 'web', ip, credential: 'password', subdomain: randomName(), ...more },
  });
const linked = async (ip: string) => bodyOf<Server>(await link(ip), 201);
const move = ({ id, version }: Server, ip: string, person = ines) =>
  person.call(`PUT /api/servers/${id}/address`, { version, ip, port: 22 });
const refused = (ip: string) => ({ status: 400, body: { fields: { ip } } });
const nowhere = (name: string) => refused(`${name} has no address in DNS that this console connects to.`);

test('a server is linked by a name, which is kept in lower case and without the root’s dot', async () => {
  expect(await linked('VPS.Example.com.')).toMatchObject({
    ...{ ip: 'vps.example.com', git: { host: 'vps.example.com' }, country: null },
  });
  expect(await link('vps.example.com')).toMatchObject(refused(messages.ipExists));
});

test.each(['inside', 'both', 'metadata', 'inner', 'none'])(
  '%s.example.com is answered as a name that does not exist, whether it is linked or moved to',
  async (label) => {
    const name = `${label}.example.com`;
    const answer = await link(name);
    expect(answer).toMatchObject(nowhere(name));
    expect(JSON.stringify(answer.body)).not.toMatch(/10\.0\.0\.5|127\.0|169\.254|public|private/i);
    expect(await move(await linked('93.184.216.40'), name)).toMatchObject(nowhere(name));
  },
);

test('a name that no name server tells is not linked, and the person may try again', async () => {
  expect(await link('silent.example.com')).toMatchObject(
    refused('silent.example.com could not be looked up in DNS now. Try again in a moment.'),
  );
});

test('whoever has all servers that one may have, or none of them, has no name looked up', async () => {
  await using full = await startTestApi(
    { loopback: false, allowPrivateTargets: false, ceilings: { ...ceilings, servers: 1 } },
    { resolveServer },
  );
  const otto = await full.signUp('otto');
  await plantServer(full.store.db, otto.userId, {});
  const body = { name: 'web', ip: 'vps.example.com', credential: 'password', subdomain: randomName() };
  expect(await otto.call('POST /api/servers', body)).toMatchObject({ body: { code: 'limit_reached' } });
  const server = await linked('93.184.216.40');
  asked = [];
  expect(await move(server, 'vps.example.com', await api.signUp(randomName()))).toMatchObject({
    status: 404,
  });
  expect(asked).toEqual([]);
});

test.each([
  ['93.184.216.34', 'vps.example.com'],
  ['2606:2800:220:1::1', 'vps.example.com'],
  ['vps.example.com', '93.184.216.34'],
])('a machine that is linked as %s is not linked again as %s', async (first, second) => {
  await linked(first);
  expect(await link(second)).toMatchObject(
    refused(`${second} is the machine that is linked as web, by ${first}.`),
  );
  expect(await link(second, { otherMachine: true })).toMatchObject({ status: 400 });
  expect(await link(second, { port: 2222 })).toMatchObject(refused(messages.ipExists));
  bodyOf(await link(second, { port: 2222, otherMachine: true }), 201);
});

test('a server does not move to the name of a machine that is linked', async () => {
  await linked('93.184.216.34');
  const server = await linked('other.example.com');
  expect(await move(server, 'vps.example.com')).toMatchObject(
    refused('vps.example.com is the machine that is linked as web, by 93.184.216.34.'),
  );
  bodyOf(await move(server, '93.184.216.77'), 200);
});

test('a server that is linked while a name is looked up is compared, too', async () => {
  meanwhile = async () => {
    meanwhile = async () => undefined;
    await plantServer(api.store.db, ines.userId, { ip: '93.184.216.34', port: 22 });
  };
  expect(await link('vps.example.com')).toMatchObject({ status: 409, body: { code: 'busy' } });
  expect(await link('vps.example.com')).toMatchObject({ status: 400 });
});

test('a server that is moved while a name is looked up is compared where it is then', async () => {
  const { db } = api.store;
  const { id } = await plantServer(db, ines.userId, { ip: '93.184.216.40', port: 22 });
  meanwhile = async () => {
    meanwhile = async () => undefined;
    await db.updateTable('servers').set({ ip: '93.184.216.34' }).where('id', '=', id).execute();
  };
  expect(await link('vps.example.com')).toMatchObject({ status: 409, body: { code: 'busy' } });
  expect(await link('vps.example.com')).toMatchObject({ status: 400 });
});

test('the console links its own demo beside a tunnel on the loopback address', async () => {
  const { store } = api;
  const add = (port: number) =>
    store.transact(ownerFromSession(ines.userId), (scope) =>
      addServer(
        scope,
        {
          ...{ name: 'demo', ip: '127.0.0.1', port, username: 'root', credential: 'password' },
          ...{ subdomain: randomName(), installDokku: true, otherMachine: false },
        },
        null,
        Number.POSITIVE_INFINITY,
      ),
    );
  await add(2222);
  expect(await add(2223)).toMatchObject({ port: 2223 });
});

test('a name that DNS does not tell keeps nobody from linking another machine', async () => {
  await plantServer(api.store.db, ines.userId, { ip: 'silent.example.com' });
  await linked('93.184.216.34');
});

test('the event of a move keeps the end of a long name, which says whose zone it is', async () => {
  const name = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example.com`;
  zone[name] = ['93.184.216.90'];
  bodyOf(await move(await linked('93.184.216.40'), name), 200);
  const events = bodyOf<{ subject: string | null }[]>(await ines.call('GET /api/security-events'), 200);
  expect(events[0]?.subject).toMatch(/^web, …b+\.c{60}\.example\.com:22$/);
  expect(events[0]?.subject).toHaveLength(120);
});
