import { expect, test } from 'vitest';
import { checkUrl } from './check-url.ts';

test('the address follows the port and the HTTPS of the app', () => {
  const url = (appUrl: string | null, https: boolean) => checkUrl(appUrl, https, 'a.example.com', '/health');
  expect(url(null, false)).toBe('http://a.example.com/health');
  expect(url('http://b.example.com', false)).toBe('http://a.example.com/health');
  expect(url('http://b.example.com:8080', false)).toBe('http://a.example.com:8080/health');
  expect(url('https://b.example.com:8443', false)).toBe('https://a.example.com:8443/health');
  expect(url('http://b.example.com:8080', true)).toBe('https://a.example.com/health');
  expect(url('not an address', true)).toBe('https://a.example.com/health');
});
