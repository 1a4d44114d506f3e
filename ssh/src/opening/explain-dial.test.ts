import { expect, it } from 'vitest';
import { whyUnreachable, withoutIpv6 } from './explain-dial.ts';

const errno = (code: string, more: { address?: string; syscall?: string } = {}) =>
  Object.assign(new Error(code), { code, ...more });

it.each(['ENETUNREACH', 'EADDRNOTAVAIL'])('says that the console has no IPv6 (%s)', (code) => {
  expect(whyUnreachable({ host: '2001:db8::1', port: 22 }, errno(code))).toBe(
    `This console has no IPv6, so it cannot reach 2001:db8::1 port 22 (${code}).`,
  );
  expect(whyUnreachable({ host: '203.0.113.7', port: 22 }, errno(code))).toBe(
    `No SSH server answers at 203.0.113.7 port 22 (${code}).`,
  );
});

it('names the error of an IPv6 address that was reached', () => {
  expect(whyUnreachable({ host: '2001:db8::1', port: 22 }, errno('ECONNREFUSED'))).toBe(
    'No SSH server answers at 2001:db8::1 port 22 (ECONNREFUSED).',
  );
});

const named = { host: 'vps.example.com', port: 22 };

it('says of a name with both kinds of address what the reachable one answered', () => {
  const both = [
    errno('ECONNREFUSED', { address: '203.0.113.7' }),
    errno('ENETUNREACH', { address: '2001:db8::1' }),
  ];
  for (const errors of [both, both.toReversed()])
    expect(whyUnreachable(named, new AggregateError(errors))).toBe(
      'No SSH server answers at vps.example.com port 22 (ECONNREFUSED).',
    );
  expect(whyUnreachable(named, new AggregateError(both.slice(1)))).toBe(
    'This console has no IPv6, so it cannot reach vps.example.com port 22 (ENETUNREACH).',
  );
});

it.each(['ENOTFOUND', 'ENODATA'])('says that a name has no address (%s)', (code) => {
  expect(whyUnreachable(named, errno(code))).toBe('vps.example.com has no address in DNS.');
});

it.each(['ETIMEOUT', 'ESERVFAIL', 'ECANCELLED', 'ECONNREFUSED'])(
  'says of a name server that does not answer that the name was not looked up (%s)',
  (code) => {
    expect(whyUnreachable(named, errno(code, { syscall: 'queryA' }))).toBe(
      `vps.example.com could not be looked up in DNS (${code}). Nothing was sent to it.`,
    );
  },
);

it('says of silence that the console has no public IPv6 address, where it has none', () => {
  const said = ' This console has no public IPv6 address.';
  const six = '2606:2800:220:1::34';
  expect(withoutIpv6(six, ['127.0.0.1', '::1', 'fd00::2', 'fe80::1'])).toBe(said);
  expect(withoutIpv6(six, ['::1', '2606:2800:220:1::35'])).toBe('');
  expect(withoutIpv6('203.0.113.7', [])).toBe('');
  expect(withoutIpv6('fd00::7', [])).toBe('');
});
