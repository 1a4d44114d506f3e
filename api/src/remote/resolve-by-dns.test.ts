import { serverFailure, startDns } from '@homeport/stand-ins/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressesOfFamily, resolveByDns } from './resolve-by-dns.ts';

const a = (name: string, content: string) => ({ type: 'A', name: `${name}.example.com`, content });
const aaaa = (name: string, content: string) => ({ type: 'AAAA', name: `${name}.example.com`, content });
let many = Array.from({ length: 20 }, (_, n) => a('many', `198.51.100.${n}`));
const records = () => [
  ...[a('vps', '203.0.113.7'), aaaa('vps', '2001:db8::7'), aaaa('six', '2001:db8::6')],
  ...[
    a('half', '203.0.113.7'),
    aaaa('half', serverFailure),
    aaaa('other', '2001:db8::8'),
    a('other', serverFailure),
  ],
  // 203.0.113.7 and 203.0.113.9 in the prefix of NAT64.
  ...[a('translated', '203.0.113.7'), aaaa('translated', '64:ff9b::cb00:7107')],
  ...[a('hidden', '203.0.113.7'), aaaa('hidden', '64:ff9b::cb00:7109')],
  ...many,
];
let dns: Awaited<ReturnType<typeof startDns>>;
beforeAll(async () => {
  dns = await startDns(async () => records());
});
afterAll(() => dns?.[Symbol.asyncDispose]());

const resolve = (name: string) =>
  new Promise<string[]>((settle, reject) => {
    resolveByDns([dns.address])(`${name}.example.com`, { all: true }, (error, found) =>
      error ? reject(error) : settle(found.map(({ address, family }) => `${family} ${address}`)),
    );
  });

test('a name has its addresses of both kinds, IPv4 first', async () => {
  expect(await resolve('vps')).toEqual(['4 203.0.113.7', '6 2001:db8::7']);
  expect(await resolve('six')).toEqual(['6 2001:db8::6']);
});

test('a name without an address has none', async () => {
  expect(await resolve('none')).toEqual([]);
});

test.each(['half', 'other'])('half of an answer is none: %s', async (name) => {
  await expect(resolve(name)).rejects.toMatchObject({ code: 'ESERVFAIL' });
});

test('of a zone that answers with many addresses the same ones are taken, in whatever order they come', async () => {
  const first = await resolve('many');
  expect(first).toHaveLength(addressesOfFamily);
  many = many.toReversed();
  expect(await resolve('many')).toEqual(first);
});

test('a look-up whose request has ended is given up', async () => {
  let asked = 0;
  await using silent = await startDns(() => {
    asked += 1;
    return new Promise<never>(() => undefined);
  });
  const request = new AbortController();
  const looked = new Promise<Error | null>((settle) => {
    resolveByDns([silent.address])('vps.example.com', { all: true, signal: request.signal }, settle);
  });
  // One question for each kind of address.
  await expect.poll(() => asked).toBe(2);
  request.abort();
  expect(await looked).toMatchObject({ code: 'ECANCELLED' });
  // A question that goes on is asked again.
  expect(asked).toBe(2);
});

test('an address that a network adds for its gateway is left out, and another one in its prefix is not', async () => {
  expect(await resolve('translated')).toEqual(['4 203.0.113.7']);
  expect(await resolve('hidden')).toEqual(['4 203.0.113.7', '6 64:ff9b::cb00:7109']);
});
