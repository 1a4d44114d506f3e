import { expect, test } from 'vitest';
import { isLoopbackAddress, reachableUrl } from './loopback.ts';

test.each(['127.0.0.1', '127.255.0.3', '::1'])('%s names the machine itself', (address) => {
  expect(isLoopbackAddress(address)).toBe(true);
});

test.each(['127.evil.example', '127.1', '128.0.0.1', '1127.0.0.1', 'localhost', '::2', ''])(
  '%s is no loopback address',
  (address) => {
    expect(isLoopbackAddress(address)).toBe(false);
  },
);

test.each(['http://localhost:7070', 'http://a.localhost', 'http://127.0.0.1:7070', 'http://[::1]:7070'])(
  'other machines cannot reach %s',
  (url) => {
    expect(reachableUrl(url)).toBeNull();
  },
);

test.each([
  'https://console.example',
  'http://127.evil.example',
  'http://10.0.0.1',
  'http://localhost.example',
])('other machines may reach %s', (url) => {
  expect(reachableUrl(url)).toBe(url);
});
