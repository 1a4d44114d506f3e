import { expect, test } from 'vitest';
import { checkHttps, type Lookup } from './check-https.ts';

const lookup = (changes: Partial<Lookup> = {}): Lookup => ({
  a: async () => ['203.0.113.24'],
  aaaa: async () => [],
  opens: async () => true,
  ...changes,
});

const failing = async (changes: Partial<Lookup>) =>
  (await checkHttps(['app.example.com'], '203.0.113.24', lookup(changes)))
    .filter((each) => !each.ok)
    .map((each) => each.check);

test('a domain that points here alone, with port 80 open, passes every check', async () => {
  expect(await failing({})).toEqual([]);
});

test.each<[string, Partial<Lookup>, string]>([
  ['that does not resolve', { a: () => Promise.reject(new Error('ENOTFOUND')) }, 'resolves'],
  ['that points elsewhere', { a: async () => ['198.51.100.1'] }, 'points_here'],
  ['that Cloudflare proxies', { a: async () => ['104.21.3.4', '172.67.8.9'] }, 'not_proxied'],
  ['with an IPv6 address too', { aaaa: async () => ['2001:db8::1'] }, 'no_other_ipv6'],
  ['whose server’s port 80 is closed', { opens: async () => false }, 'port_80'],
])('a domain %s is told of', async (_what, changes, check) => {
  expect(await failing(changes)).toEqual([check]);
});

test('one bad domain of several is named', async () => {
  const answers: Record<string, string[]> = { 'good.example.com': ['203.0.113.24'], 'bad.example.com': [] };
  const checks = await checkHttps(
    Object.keys(answers),
    '203.0.113.24',
    lookup({ a: async (name) => answers[name] ?? [] }),
  );
  expect(checks.filter((each) => !each.ok)).toMatchObject([{ domain: 'bad.example.com', check: 'resolves' }]);
});
