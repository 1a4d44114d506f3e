import { describe, expect, it } from 'vitest';
import { defaultDomainOf, globalDomainOf, hasOwnWildcard } from '../apps/default-domain.ts';
import { canonicalAddress } from '../network/addresses.ts';
import { addressSchema } from './schema.ts';
import { addressKindOf, ipv6Groups, recordTypeTo, urlHost } from './server-address.ts';
import { addressCharacters, serverAddress } from './typed-address.ts';

/** An address for each of the 256 ways in which groups can be zero, with groups of one to four digits. */
const groups = ['2001', 'db8', 'a', 'ff', '123', 'beef', '7', 'c0de'];
const everyShape = Array.from({ length: 256 }, (_, mask) =>
  groups.map((group, index) => (((mask >> index) & 1) === 1 ? group : '0')).join(':'),
);

describe('the address of a server', () => {
  it.each([
    ['203.0.113.24', '203.0.113.24', 'ipv4'],
    [' 203.0.113.24 ', '203.0.113.24', 'ipv4'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1', 'ipv6'],
    ['[2001:db8::1]', '2001:db8::1', 'ipv6'],
    ['2001:db8::0:1', '2001:db8::1', 'ipv6'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221', 'ipv6'],
    ['::1', '::1', 'ipv6'],
    ['::ffff:192.0.2.33', '192.0.2.33', 'ipv4'],
    ['::FFFF:c000:221', '192.0.2.33', 'ipv4'],
    ['VPS.Example.COM.', 'vps.example.com', 'name'],
    ['bücher.example', 'xn--bcher-kva.example', 'name'],
    ['a-b.c.example', 'a-b.c.example', 'name'],
  ])('%j is kept as %j', (typed, kept, kind) => {
    expect(serverAddress(typed)).toBe(kept);
    expect(addressSchema.parse(typed)).toBe(kept);
    expect(addressKindOf(kept)).toBe(kind);
  });

  it.each([
    '',
    'localhost',
    'vps',
    '.example.com',
    'vps.example.com..',
    '127.1',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '010.0.0.1',
    '256.0.0.1',
    '1.2.3.4.',
    '1.2.3',
    'vps.example.1',
    'fe80::1%eth0',
    '2001:db8::1/64',
    '2001:db8::g',
    '[2001:db8::1',
    '[2001:db8::1]:22',
    '::ffff:1.2.3.4.5',
    'vps.example.com:22',
    'root@vps.example.com',
    'http://vps.example.com',
    'vps.example.com/x',
    'vps..example.com',
    '-oProxyCommand=x.example',
    '-x.example.com',
    'x-.example.com',
    'a_b.example.com',
    'vps.example.com\nHost x',
    'vps.exa\0mple.com',
    '*.example.com',
    `${'a'.repeat(64)}.example.com`,
  ])('%j is refused', (typed) => {
    expect(serverAddress(typed)).toBeNull();
    expect(addressSchema.safeParse(typed).success).toBe(false);
  });

  it('has the length of a host name and its dot at most', () => {
    const longest = `${'abc.'.repeat(63)}x`;
    expect(`${longest}.`).toHaveLength(addressCharacters);
    expect(addressSchema.parse(`${longest}.`)).toBe(longest);
    expect(addressSchema.safeParse(`${longest}x`).success).toBe(false);
    expect(addressSchema.safeParse(`2001:db8::${'0'.repeat(300)}1`).success).toBe(false);
    expect(addressSchema.parse('[0000:0000:0000:0000:0000:ffff:255.255.255.255]')).toBe('255.255.255.255');
  });

  it('is spelled as the one place that judges addresses spells it, and its spelling stays', () => {
    for (const typed of everyShape) {
      const kept = serverAddress(typed);
      expect(kept, typed).toBe(canonicalAddress(typed));
      expect(serverAddress(kept ?? '')).toBe(kept);
      expect(serverAddress(urlHost(kept ?? ''))).toBe(kept);
    }
  });

  it('comes back from a URL and from the domain that contains it', () => {
    for (const typed of everyShape) {
      const ip = serverAddress(typed) ?? '';
      expect(new URL(`ssh://dokku@${urlHost(ip)}:2222/app`).hostname).toBe(urlHost(ip));
      if (ip === '::1') continue;
      const domain = globalDomainOf({ subdomain: 'x', ip }, null);
      expect(ipv6Groups(ip)).toHaveLength(8);
      expect(serverAddress(domain.replace('.sslip.io', '').replaceAll('-', ':'))).toBe(ip);
    }
  });

  it('is no label with two hyphens together, which no certificate has', () => {
    for (const ip of everyShape)
      expect(globalDomainOf({ subdomain: 'x', ip: serverAddress(ip) ?? '' }, null)).toMatch(
        /^[0-9a-f]{1,4}(?:-[0-9a-f]{1,4}){7}\.sslip\.io$/,
      );
  });

  it('decides the type of the record that leads to it', () => {
    expect(['203.0.113.24', '2001:db8::1', 'vps.example.com'].map(recordTypeTo)).toEqual([
      ...['A', 'AAAA', 'CNAME'],
    ]);
  });
});

describe('the default domain', () => {
  it('of a server with a name is beneath the name, and nobody sees to it that it leads there', () => {
    const server = { subdomain: 'lantern', ip: 'vps.example.com' };
    expect(defaultDomainOf(server, 'ledger-ab12cd', null)).toBe('ledger-ab12cd.vps.example.com');
    expect(defaultDomainOf(server, 'ledger-ab12cd', 'apps.example')).toBe(
      'ledger-ab12cd.lantern.apps.example',
    );
    expect(['vps.example.com', '203.0.113.24', '::1'].map((ip) => hasOwnWildcard({ ip }))).toEqual([
      ...[false, true, true],
    ]);
  });

  it('of a tunnel on the IPv6 loopback is a name that browsers resolve', () => {
    expect(globalDomainOf({ subdomain: 'lantern', ip: '::1' }, null)).toBe('lantern.localhost');
  });
});
