import { servedThoughFailingMs } from '@homeport/contract/proxies/facts';
import { expect, it } from 'vitest';
import { standingOf } from './proxy-standing.ts';

const hour = 3_600_000;
type Row = Parameters<typeof standingOf>[0];
const row: Row = {
  ...{ domain: 'quay.example', holds: true, proof: 'homeport-1', owned: 'txt', pointing: 'yes', found: {} },
  ...{ checked_at: 10 * hour, failing_since: null, failures: 0, allowed: true, refusal: null },
  ...{ failing_rules: {}, certificate: null, records: [{ id: 'rule-1', path: '/blog' }] },
};
const standing = (changes: Partial<Row>) =>
  standingOf({ ...row, ...changes }, { proxyHost: 'proxy.example', address: 'console.example' });

it('a domain whose websites answer is serving', () => {
  expect(standing({})).toMatchObject({ state: 'serving', reason: null, servedUntil: null, wanted: [] });
});

it('a website that answers with errors makes its proxy failing, and is named by its path', () => {
  const failing_rules = {
    'rule-1': { since: 1, requests: 10, errors: 6, path: '/blog' },
    source: { since: 1, requests: 5, errors: 5, path: null },
  };
  expect(standing({ failing_rules })).toMatchObject({
    state: 'failing',
    reason:
      'The website of /blog fails: 6 of 10 requests were answered with errors. The primary website fails: 5 of 5 requests were answered with errors.',
  });
});

it('a domain with a pattern that an earlier version kept says that it is not served, and which rule it is', () => {
  expect(standing({ refusal: 'rule-1 pathRewriteSrc rewrite_size' })).toMatchObject({
    state: 'failing',
    reason: expect.stringMatching(/^This domain is not served .* Rule \/blog: This pattern is too large/),
  });
});

it('a domain that leads elsewhere is failing after an hour of failed checks, and says until when it is served', () => {
  const astray = {
    pointing: 'no',
    found: { addresses: ['198.51.100.7'] },
    failing_since: 9.5 * hour,
    failures: 3,
  } as const;
  const servedUntil = 9.5 * hour + servedThoughFailingMs;
  expect(standing(astray)).toMatchObject({ state: 'serving', servedUntil });
  expect(standing({ ...astray, checked_at: 10.5 * hour })).toMatchObject({
    state: 'failing',
    reason: 'quay.example leads to 198.51.100.7, and not to the proxy service.',
    servedUntil,
    wanted: [{ purpose: 'pointing', type: 'CNAME' }],
  });
  expect(standing({ ...astray, allowed: false })).toMatchObject({ state: 'waiting', servedUntil: null });
});

it('a waiting domain is given the console’s own address where the operator named no other machine', () => {
  const wantedAt = (address: string) =>
    standingOf({ ...row, allowed: false, pointing: 'no' }, { proxyHost: null, address }).wanted;
  expect(wantedAt('console.example')).toMatchObject([{ type: 'CNAME', content: 'console.example' }]);
  expect(wantedAt('203.0.113.7')).toMatchObject([{ type: 'A', content: '203.0.113.7' }]);
  expect(wantedAt('2001:db8::7')).toMatchObject([{ type: 'AAAA', content: '2001:db8::7' }]);
});

it('a domain says what showed that it leads here', () => {
  for (const way of ['cname', 'addresses', 'asked', 'local'] as const)
    expect(standing({ found: { way } }).pointingBy).toBe(way);
  expect(standing({ pointing: 'no', found: { way: null } }).pointingBy).toBeNull();
});

it('the certificate of a domain that is not served is nobody’s concern', () => {
  const certificate = { fingerprint: 'ab', validFrom: 1, validTo: 2 };
  expect(standing({ certificate }).certificate).toEqual({ validFrom: 1, validTo: 2 });
  expect(standing({ certificate, allowed: false }).certificate).toBeNull();
});
