import { once } from 'node:events';
import { createServer } from 'node:net';
import { createGate, type ResolveAll, websitePorts } from '@homeport/egress';
import { startDns } from '@homeport/stand-ins/testing';
import { expect, test } from 'vitest';
import { createWebsiteGate } from '../../remote/target-policy.ts';
import { checkHttps, type Lookup, lookupThrough } from './check-https.ts';

// 203.0.113.0/24 is for documentation (RFC 5737) and belongs to nobody. This address could be a server's.
const server = '93.184.216.34';

const lookup = (changes: Partial<Lookup> = {}): Lookup => ({
  a: async () => [server],
  aaaa: async () => [],
  opens: async () => true,
  mayShow: () => true,
  ...changes,
});

const dnsError = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));
const at = (address: string, own = [address]) => ({
  address,
  looked: { kind: 'found', addresses: own } as const,
});
const check = (changes: Partial<Lookup>, domain = 'app.example.com', ip = server) =>
  checkHttps([domain], at(ip), lookup(changes));
const failing = async (...of: Parameters<typeof check>) => (await check(...of)).filter(({ ok }) => !ok);

test('a domain that points here alone, with port 80 open, passes every check', async () => {
  expect(await check({})).toEqual(
    ['resolves', 'points_here', 'no_other_ipv6', 'port_80'].map((name) =>
      expect.objectContaining({ check: name, ok: true, domain: 'app.example.com' }),
    ),
  );
});

test.each<[string, Partial<Lookup>, string, string]>([
  [
    'that does not exist',
    { a: () => dnsError('ENOTFOUND') },
    'resolves',
    `Add an A record that points to ${server}`,
  ],
  [
    'that has an IPv6 address only',
    { a: () => dnsError('ENODATA'), aaaa: async () => ['2001:db8::1'] },
    'resolves',
    'only to 2001:db8::1',
  ],
  ['whose name server fails', { a: () => dnsError('ESERVFAIL') }, 'resolves', 'no name server answered'],
  [
    'whose name server is silent',
    { aaaa: () => dnsError('ETIMEOUT') },
    'resolves',
    'no name server answered',
  ],
  [
    'that points elsewhere',
    { a: async () => ['198.51.100.1'] },
    'points_here',
    `points to 198.51.100.1, not to this server (${server})`,
  ],
  [
    'that points here and elsewhere',
    { a: async () => [server, '198.51.100.1'] },
    'points_here',
    'and to 198.51.100.1 too',
  ],
  [
    'that Cloudflare proxies, under both kinds of address',
    { a: async () => ['104.21.3.4', '172.67.8.9'], aaaa: async () => ['2606:4700:3030::6815:304'] },
    'not_proxied',
    'DNS Only',
  ],
  [
    'with an IPv6 address too',
    { aaaa: async () => ['2001:db8::1'] },
    'no_other_ipv6',
    'the authority tries first',
  ],
  ['whose server’s port 80 is closed', { opens: async () => false }, 'port_80', 'Open it in the firewall'],
])('reports only the domain %s', async (_what, changes, name, text) => {
  expect(await failing(changes)).toEqual([
    { domain: 'app.example.com', check: name, ok: false, text: expect.stringContaining(text) },
  ]);
});

test.each(['173.245.48.1', '131.0.75.255', '104.16.0.0', '172.71.255.255'])(
  'recognises Cloudflare’s address %s',
  async (address) => {
    expect(await failing({ a: async () => [address] })).toMatchObject([{ check: 'not_proxied' }]);
  },
);

test.each(['192.168.1.5', '127.0.0.1', '10.0.0.1', '100.64.0.1'])(
  'reports that the internet cannot reach a server at %s',
  async (ip) => {
    expect(await failing({ a: async () => [ip] }, 'app.example.com', ip)).toMatchObject([
      { check: 'points_here', text: expect.stringContaining('no authority on the internet can reach') },
    ]);
  },
);

test('refuses a wildcard before any lookup', async () => {
  const never = () => Promise.reject(new Error('looked up'));
  expect(await failing({ a: never, aaaa: never }, '*.example.com')).toMatchObject([{ check: 'no_wildcard' }]);
});

test('an app without a domain is told to add one', async () => {
  expect(await checkHttps([], at(server), lookup())).toMatchObject([{ check: 'has_domain', ok: false }]);
});

test('names one bad domain of several, and tries port 80 once', async () => {
  const answers: Record<string, string[]> = { 'good.example.com': [server], 'bad.example.com': [] };
  let tried = 0;
  const checks = await checkHttps(
    Object.keys(answers),
    at(server),
    lookup({
      a: async (name) => answers[name] ?? [],
      opens: async () => {
        tried += 1;
        return true;
      },
    }),
  );
  expect(checks.filter((each) => !each.ok)).toMatchObject([{ domain: 'bad.example.com', check: 'resolves' }]);
  expect(tried).toBe(1);
});

/** Counts the connections at one port of 127.0.0.1 and 127.0.0.2. */
async function listenTwice() {
  const reached: string[] = [];
  const at = (address: string) =>
    createServer((socket) => {
      reached.push(address);
      socket.on('error', () => undefined);
      socket.end();
    });
  const [first, second] = [at('127.0.0.1'), at('127.0.0.2')];
  first.listen(0, '127.0.0.1');
  await once(first, 'listening');
  const bound = first.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  second.listen(port, '127.0.0.2');
  await once(second, 'listening');
  const close = async () => {
    await Promise.all([first[Symbol.asyncDispose](), second[Symbol.asyncDispose]()]);
  };
  return { reached, port, [Symbol.asyncDispose]: close };
}

const through = (gate: Parameters<typeof lookupThrough>[0], signal = new AbortController().signal) =>
  lookupThrough(gate, [], signal);

test('a request that has ended opens no connection and asks no name server', async () => {
  await using listening = await listenTwice();
  const { reached, port } = listening;
  const asked: string[] = [];
  await using dns = await startDns(async () => {
    asked.push('a question');
    return new Promise<never>(() => undefined);
  });
  const request = new AbortController();
  const { a, opens } = lookupThrough(createWebsiteGate(true, []), [dns.address], request.signal);
  const answer = a('shop.example.com').catch((error: unknown) => error);
  await expect.poll(() => asked).toHaveLength(1);
  request.abort();
  expect(await answer).toMatchObject({ code: 'ECANCELLED' });
  // A question that goes on is asked again.
  expect(asked).toHaveLength(1);
  expect(await opens('127.0.0.1', port)).toBe(false);
  expect(reached).toEqual([]);
});

test('a private address gets no connection, unless the operator allows servers there', async () => {
  await using listening = await listenTwice();
  const { reached, port } = listening;
  const opens = (allowPrivate: boolean, consolePorts: readonly number[] = []) =>
    through(createWebsiteGate(allowPrivate, consolePorts)).opens('127.0.0.1', port);
  expect(await opens(false)).toMatchObject({ kind: 'private' });
  expect(await opens(true, [port])).toMatchObject({ kind: 'console' });
  expect(reached).toEqual([]);
  expect(await opens(true)).toBe(true);
  expect(reached).toEqual(['127.0.0.1']);
});

test('a name whose address changes between two checks gets no connection to the private one', async () => {
  await using listening = await listenTwice();
  const { reached, port } = listening;
  const answers = ['127.0.0.1', '127.0.0.2'];
  const resolve: ResolveAll = (_name, _options, done) =>
    done(null, [{ address: answers.shift() ?? '127.0.0.2', family: 4 }]);
  const gate = createGate(
    {
      exceptions: ['127.0.0.1/32'],
      openOwnPorts: websitePorts,
      console: { ports: [], names: [] },
      mixedName: 'refuse',
    },
    resolve,
  );
  const { opens } = through(gate);
  expect(await opens('rebinding.test', port)).toBe(true);
  expect(await opens('rebinding.test', port)).toMatchObject({ kind: 'private' });
  expect(reached).toEqual(['127.0.0.1']);
});

test('a refused port says why it was not tried', async () => {
  const refusal = { kind: 'private', text: server, port: 80 } as const;
  expect(await failing({ opens: async () => refusal })).toMatchObject([
    { check: 'port_80', text: expect.stringContaining('HOMEPORT_ALLOW_PRIVATE_TARGETS') },
  ]);
});

test('beside the console a website answers at its usual ports, and no other port is tried', () => {
  const gate = createWebsiteGate(false, [7070], { isOwn: (address) => address === server });
  expect([80, 443, 22, 7070].map((port) => gate.refuses(server, port)?.kind ?? null)).toEqual([
    null,
    null,
    'own_port',
    'console',
  ]);
});

const six = '2606:2800:220:1::34';
test('of an IPv6 server the AAAA record counts, and an A record is the other one', async () => {
  const here = { a: () => dnsError('ENODATA'), aaaa: async () => ['2606:2800:220:1:0:0:0:34'] };
  expect((await check(here, 'app.example.com', six)).map(({ check, ok }) => [check, ok])).toEqual([
    ['resolves', true],
    ['points_here', true],
    ['no_other_ipv4', true],
    ['port_80', true],
  ]);
  expect(await failing({}, 'app.example.com', six)).toMatchObject([
    { check: 'resolves', text: expect.stringContaining(`Add an AAAA record that points to ${six}`) },
  ]);
  expect(await failing({ ...here, a: async () => [server] }, 'app.example.com', six)).toMatchObject([
    { check: 'no_other_ipv4', text: expect.stringContaining('visitors without IPv6') },
  ]);
  expect(await failing({ ...here, aaaa: async () => ['2001:db8::9'] }, 'app.example.com', six)).toMatchObject(
    [{ check: 'points_here', text: expect.stringContaining('Change its AAAA record') }],
  );
});

test('of a server with a name a domain may have each of the name’s addresses, and no other', async () => {
  const name = 'vps.example.net';
  const named = async (changes: Partial<Lookup>) =>
    (await checkHttps(['app.example.com'], at(name, [server, six]), lookup(changes))).filter(({ ok }) => !ok);
  const aaaa = (address: string) => ({ aaaa: async () => [address] });
  expect(await named({})).toEqual([]);
  expect(await named(aaaa('2606:2800:220:1:0:0:0:34'))).toEqual([]);
  expect(await named(aaaa('2001:db8::9'))).toMatchObject([
    {
      check: 'points_here',
      text: expect.stringContaining('and to 2001:db8::9 too. Remove the other records'),
    },
  ]);
  expect(await named({ a: () => dnsError('ENOTFOUND') })).toMatchObject([
    { check: 'resolves', text: expect.stringContaining(`Add a CNAME record that points to ${name}`) },
  ]);
});

test.each([
  ['none', 'vps.example.net has no address in DNS that this console connects to.'],
  ['unknown', 'vps.example.net could not be looked up in DNS now. Try again in a moment.'],
] as const)(
  'of a name whose addresses are %s no record is judged, and no port is tried',
  async (kind, why) => {
    const never = () => Promise.reject(new Error('asked'));
    const nobody = lookup({ a: never, aaaa: never, opens: never });
    expect(
      await checkHttps(['a.example.com'], { address: 'vps.example.net', looked: { kind } }, nobody),
    ).toEqual([
      {
        domain: 'a.example.com',
        check: 'points_here',
        ok: false,
        text: `The server is known by a name. ${why}`,
      },
    ]);
  },
);

test('port 80 is tried at each address of a name, and the one that does not answer is named', async () => {
  const tried: string[] = [];
  const checks = await checkHttps(
    ['app.example.com'],
    at('vps.example.net', [server, six]),
    lookup({
      opens: async (address) => {
        tried.push(address);
        return address === server;
      },
    }),
  );
  expect(tried).toEqual([server, six]);
  expect(checks.find((each) => each.check === 'port_80')).toMatchObject({
    ok: false,
    text: expect.stringContaining(`Port 80 of vps.example.net, at ${six}, does not answer.`),
  });
});

test('an address that a network adds for its gateway is none of the domain’s', async () => {
  expect(await failing({ aaaa: async () => ['64:ff9b::5db8:d822'] })).toEqual([]);
  expect(await failing({ aaaa: async () => ['64:ff9b::5db8:d823'] })).toHaveLength(1);
});

test('an address of the operator’s own network is not spelled', async () => {
  const inside = { a: async () => ['10.1.2.3'], aaaa: async () => ['fd00::7'] };
  const { mayShow } = through(createWebsiteGate(false, [7070]));
  const texts = (await check({ ...inside, mayShow })).map(({ text }) => text).join(' ');
  expect(texts).not.toMatch(/10\.1\.2\.3|fd00::7/);
  expect(texts).toContain('resolves to an address that is not public.');
  expect(texts).toContain(`points to an address that is not public, not to this server (${server})`);
  const open = through(createWebsiteGate(true, [7070]));
  expect([mayShow(server), open.mayShow('10.1.2.3')]).toEqual([true, true]);
});
