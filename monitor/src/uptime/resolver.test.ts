import { expect, test } from 'vitest';
import { type Ask, createResolver, NameError } from './resolver.ts';

const failing = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));

function resolverOn(answers: Ask) {
  const clock = { now: 0 };
  const asked: string[] = [];
  const resolver = createResolver(
    () => clock.now,
    (name, type) => {
      asked.push(`${name} ${type}`);
      return answers(name, type);
    },
  );
  return { clock, asked, resolve: (name: string) => resolver.resolve(name) };
}

test('gives the addresses of both families, and asks again when the answer has expired', async () => {
  const { clock, asked, resolve } = resolverOn((_name, type) =>
    type === 'A'
      ? Promise.resolve([{ address: '192.0.2.1', ttl: 30 }])
      : Promise.resolve([{ address: '2001:db8::1', ttl: 300 }]),
  );
  const both = [
    { address: '192.0.2.1', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ];
  expect(await Promise.all([resolve('a.test'), resolve('a.test')])).toEqual([both, both]);
  clock.now = 29_999;
  await resolve('a.test');
  expect(asked).toEqual(['a.test A', 'a.test AAAA']);
  clock.now = 30_000;
  await resolve('a.test');
  expect(asked).toHaveLength(4);
});

test('keeps the first 32 addresses of each family, however many a zone answers with', async () => {
  const { resolve } = resolverOn((_name, type) =>
    Promise.resolve(
      Array.from({ length: 4_000 }, (_none, index) => ({
        address: type === 'A' ? `192.0.${index >> 8}.${index & 255}` : `2001:db8::${index.toString(16)}`,
        ttl: 30,
      })),
    ),
  );
  const addresses = await resolve('a.test');
  expect(addresses).toHaveLength(64);
  expect([addresses.at(0), addresses.at(31), addresses.at(32), addresses.at(-1)]).toEqual([
    { address: '192.0.0.0', family: 4 },
    { address: '192.0.0.31', family: 4 },
    { address: '2001:db8::0', family: 6 },
    { address: '2001:db8::1f', family: 6 },
  ]);
});

test('keeps no answer for longer than a minute', async () => {
  const { clock, asked, resolve } = resolverOn((_name, type) =>
    type === 'A' ? Promise.resolve([{ address: '192.0.2.1', ttl: 86_400 }]) : failing('ENODATA'),
  );
  await resolve('a.test');
  clock.now = 60_000;
  await resolve('a.test');
  expect(asked).toHaveLength(4);
});

test('remembers for five seconds that a name has no address', async () => {
  const { clock, asked, resolve } = resolverOn(() => failing('ENOTFOUND'));
  await expect(resolve('a.test')).rejects.toThrow(NameError);
  clock.now = 4_999;
  await expect(resolve('a.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  expect(asked).toHaveLength(2);
  clock.now = 5_000;
  await expect(resolve('a.test')).rejects.toThrow(NameError);
  expect(asked).toHaveLength(4);
});

test('never asks DNS for names of this machine', async () => {
  const { asked, resolve } = resolverOn(() => failing('ENOTFOUND'));
  for (const name of ['localhost', 'shop.localhost'])
    expect(await resolve(name)).toEqual([{ address: '127.0.0.1', family: 4 }]);
  expect(asked).toEqual([]);
});

test('uses the address in a name only where no DNS server answers', async () => {
  const offline = resolverOn(() => failing('ECONNREFUSED'));
  expect(await offline.resolve('shop.203.0.113.7.sslip.io')).toEqual([{ address: '203.0.113.7', family: 4 }]);
  expect(await offline.resolve('shop.2001-db8-0-0-0-0-0-1.sslip.io')).toEqual([
    { address: '2001:db8:0:0:0:0:0:1', family: 6 },
  ]);
  await expect(offline.resolve('shop.example.com')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  const online = resolverOn(() => failing('ENOTFOUND'));
  await expect(online.resolve('shop.203.0.113.7.sslip.io')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});
