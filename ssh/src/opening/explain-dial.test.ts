import { expect, it } from 'vitest';
import { whyUnreachable, withoutIpv6 } from './explain-dial.ts';

it.each(['ENETUNREACH', 'EADDRNOTAVAIL'])('says that the console has no IPv6 (%s)', (code) => {
  expect(whyUnreachable({ host: '2001:db8::1', port: 22 }, code)).toBe(
    `This console has no IPv6, so it cannot reach 2001:db8::1 port 22 (${code}).`,
  );
  expect(whyUnreachable({ host: '203.0.113.7', port: 22 }, code)).toBe(
    `No SSH server answers at 203.0.113.7 port 22 (${code}).`,
  );
});

it('names the error of an IPv6 address that was reached', () => {
  expect(whyUnreachable({ host: '2001:db8::1', port: 22 }, 'ECONNREFUSED')).toBe(
    'No SSH server answers at 2001:db8::1 port 22 (ECONNREFUSED).',
  );
});

it('says of silence that the console has no public IPv6 address, where it has none', () => {
  const said = ' This console has no public IPv6 address.';
  const six = '2606:2800:220:1::34';
  expect(withoutIpv6(six, ['127.0.0.1', '::1', 'fd00::2', 'fe80::1'])).toBe(said);
  expect(withoutIpv6(six, ['::1', '2606:2800:220:1::35'])).toBe('');
  expect(withoutIpv6('203.0.113.7', [])).toBe('');
  expect(withoutIpv6('fd00::7', [])).toBe('');
});
