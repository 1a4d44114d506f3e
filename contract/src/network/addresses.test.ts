import { describe, expect, test } from 'vitest';
import { canonicalAddress, isPublicAddress, networks } from './addresses.ts';

/** Each block with an address at its first, last or middle place. */
const special: readonly (readonly [block: string, within: readonly string[]])[] = [
  // https://www.iana.org/assignments/iana-ipv4-special-registry, as of October 2025.
  ['0.0.0.0/8', ['0.0.0.0', '0.255.255.255']],
  ['10.0.0.0/8', ['10.0.0.0', '10.255.255.255']],
  ['100.64.0.0/10', ['100.64.0.0', '100.127.255.255']],
  ['127.0.0.0/8', ['127.0.0.1', '127.255.255.255']],
  ['169.254.0.0/16', ['169.254.169.254']],
  ['172.16.0.0/12', ['172.16.0.0', '172.31.255.255']],
  ['192.0.0.0/24', ['192.0.0.0', '192.0.0.9', '192.0.0.10', '192.0.0.170', '192.0.0.255']],
  ['192.0.2.0/24', ['192.0.2.1']],
  ['192.31.196.0/24', ['192.31.196.1']],
  ['192.52.193.0/24', ['192.52.193.1']],
  ['192.88.99.0/24', ['192.88.99.1', '192.88.99.2']],
  ['192.168.0.0/16', ['192.168.0.0', '192.168.255.255']],
  ['192.175.48.0/24', ['192.175.48.1']],
  ['198.18.0.0/15', ['198.18.0.0', '198.19.255.255']],
  ['198.51.100.0/24', ['198.51.100.1']],
  ['203.0.113.0/24', ['203.0.113.1']],
  ['240.0.0.0/4', ['240.0.0.0', '255.255.255.254']],
  ['255.255.255.255/32', ['255.255.255.255']],
  // https://www.iana.org/assignments/iana-ipv6-special-registry, as of October 2025.
  ['::1/128', ['::1']],
  ['::/128', ['::']],
  ['::ffff:0:0/96', ['::ffff:10.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:c0a8:0101']],
  ['64:ff9b::/96', ['64:ff9b::808:808', '64:ff9b::7f00:1']],
  ['64:ff9b:1::/48', ['64:ff9b:1::1', '64:ff9b:1:ffff::1']],
  ['100::/64', ['100::1']],
  ['100:0:0:1::/64', ['100:0:0:1::1']],
  ['2001::/23', ['2001:1ff:ffff::1']],
  ['2001::/32', ['2001:0:7f00:1::1']],
  ['2001:1::1/128', ['2001:1::1', '2001:1::2', '2001:1::3']],
  ['2001:2::/48', ['2001:2::1']],
  ['2001:3::/32', ['2001:3::1']],
  ['2001:4:112::/48', ['2001:4:112::1']],
  ['2001:10::/28', ['2001:10::1']],
  ['2001:20::/28', ['2001:20::1', '2001:2f:ffff::1']],
  ['2001:30::/28', ['2001:30::1']],
  ['2001:db8::/32', ['2001:db8::1']],
  ['2002::/16', ['2002:7f00:1::', '2002:808:808::1']],
  ['2620:4f:8000::/48', ['2620:4f:8000::1']],
  ['3fff::/20', ['3fff::1', '3fff:fff:ffff::1']],
  ['5f00::/16', ['5f00::1']],
  ['fc00::/7', ['fc00::1', 'fd00:ec2::254']],
  ['fe80::/10', ['fe80::1', 'febf::1']],
  // Not special-purpose, but no unicast of the internet: multicast (RFC 5771, RFC 4291), IPv4-compatible and site-local addresses
  // (RFC 4291, 2.5.5.1 and 2.5.7), IPv4-translated addresses (RFC 2765), and blocks that are not allocated.
  ['224.0.0.0/4', ['224.0.0.1', '239.255.255.255']],
  ['ff00::/8', ['ff02::1']],
  ['::/96', ['::127.0.0.1', '::808:808']],
  ['fec0::/10', ['fec0::1']],
  ['::ffff:0:0:0/96', ['::ffff:0:7f00:1', '::ffff:0:8.8.8.8']],
  ['outside 2000::/3', ['200::1', '1fff::1', '4000::1', '8000::1', 'f000::1']],
];

describe.each(special)('of %s', (_block, within) => {
  test.each(within)('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

test.each([
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '172.32.0.1'],
  ...['192.0.1.1', '198.17.255.255', '198.20.0.0', '223.255.255.255'],
  ...['2001:200::1', '2001:4860:4860::8888', '2606:4700::1111', '2a00::1', '3ffe:ffff::1'],
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test('an IPv4-mapped address is judged as its IPv4 address', () => {
  expect(isPublicAddress('::ffff:8.8.8.8')).toBe(true);
  expect(isPublicAddress('::ffff:808:808')).toBe(true);
  expect(canonicalAddress('::FFFF:0808:0808')).toBe('8.8.8.8');
  expect(networks(['10.0.0.0/8']).contain('::ffff:a01:203')).toBe(true);
});

test.each([
  '',
  'example.com',
  '127.1',
  '0x7f000001',
  '0177.0.0.1',
  '2130706433',
  '1.2.3',
  'fe80::1%eth0',
  '::1/64',
])('%j is no address', (text) => {
  expect(canonicalAddress(text)).toBeNull();
  expect(isPublicAddress(text)).toBe(false);
  expect(networks(['0.0.0.0/0', '::/0']).contain(text)).toBe(false);
});

test('a network contains addresses of its own family', () => {
  const some = networks(['10.0.0.0/8', 'fd00::/8']);
  expect(['10.1.2.3', 'fd12::1', '11.0.0.1', 'fc00::1', '::a00:1'].map((one) => some.contain(one))).toEqual([
    ...[true, true, false, false, false],
  ]);
});
