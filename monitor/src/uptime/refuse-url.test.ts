import { expect, test } from 'vitest';
import { createCheckGate } from './check-gate.ts';
import { hostOf, refuseUrl, sayRefusal } from './refuse-url.ts';
import { createResolver } from './resolver.ts';

const gateOf = (allowedNetworks: string[], own: string) =>
  createCheckGate({ allowedNetworks, consolePorts: [7070] }, createResolver(Date.now), (one) => one === own);
const gate = gateOf([], '8.8.8.8');
const refusal = (url: string, by = gate) => refuseUrl(new URL(url), by);
const refusalOf = (address: string, port: number, by = gate) => {
  const found = by.refuses(address, port);
  return found && sayRefusal(found);
};

test.each([
  'http://127.0.0.1/',
  'http://127.1/',
  'http://0x7f000001/',
  'http://2130706433/',
  'http://0177.0.0.1/',
  'http://0/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:7f00:1::1]/',
  'http://10.1.2.3/',
  'http://172.31.255.255/',
  'http://192.168.0.1/',
  'http://100.100.100.200/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00:ec2::254]/',
  'http://[fe80::1]/',
  'http://[ff02::1]/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://１２７.０.０.１/',
])('%s is refused as not public', (url) => {
  expect(refusal(url)).toContain('is not a public address');
});

test.each([
  ['ftp://example.com/', 'not an http or https'],
  ['file:///etc/passwd', 'not an http or https'],
  ['javascript:alert(1)', 'not an http or https'],
  ['http://user:secret@example.com/', 'user name'],
  ['http://user@example.com/', 'user name'],
  ['http://example.com:22/', 'Port 22'],
  ['http://example.com:25/', 'Port 25'],
  ['https://example.com:1023/', 'Port 1023'],
])('%s is refused: %s', (url, why) => {
  expect(refusal(url)).toContain(why);
});

test.each([
  'http://example.com/',
  'https://example.com:443/',
  'http://example.com:80/',
  'http://example.com:1024/',
  'http://1.1.1.1/',
  'https://[2606:4700::1111]:8443/',
  'http://172.32.0.1/',
])('%s may be checked', (url) => {
  expect(refusal(url)).toBeNull();
});

test('an allowed private network may be checked, and no other', () => {
  const lenient = gateOf(['10.0.0.0/8', 'fd00::/8'], '');
  expect(refusal('http://10.1.2.3/', lenient)).toBeNull();
  expect(refusal('http://[fd12::1]/', lenient)).toBeNull();
  expect(refusal('http://127.0.0.1/', lenient)).not.toBeNull();
});

test('on this machine’s own public address only its websites may be checked', () => {
  expect(refusalOf('8.8.8.8', 443)).toBeNull();
  expect(refusalOf('8.8.8.8', 5432)).toContain('is the console itself');
  expect(refusalOf('8.8.4.4', 5432)).toBeNull();
});

test.each(['[::ffff:8.8.8.8]', '[::ffff:808:808]', '[0:0:0:0:0:FFFF:0808:0808]'])(
  'refuses this machine’s own address when it is written as %s',
  (host) => {
    expect(refusal(`http://${host}:7070/`)).toContain('is the console itself');
    expect(refusal(`http://${host}/`)).toBeNull();
  },
);

test.each(['[5f00::1]', '[3fff::1]', '[2001:20::1]', '[::ffff:10.0.0.1]', '[4000::1]', '[2001:1::1]'])(
  'http://%s/ is refused as not public',
  (host) => {
    expect(refusal(`http://${host}/`)).toContain('is not a public address');
  },
);

test('refuses this machine’s own IPv6 address in every spelling', () => {
  const own = gateOf([], '2606:4700::1111');
  expect(refusalOf('2606:4700:0:0::1111', 5432, own)).toContain('is the console itself');
});

test('refuses a text that is not an address', () => {
  expect(refusalOf('example.com', 80)).toContain('is not an address');
});

test('removes brackets and the root’s dot from a host', () => {
  expect(hostOf(new URL('http://[::1]:80/'))).toBe('::1');
  expect(hostOf(new URL('http://localhost./'))).toBe('localhost');
});
