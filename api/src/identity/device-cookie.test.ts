import { expect, it } from 'vitest';
import { createDeviceCookie } from './device-cookie.ts';

const day = 86_400_000;
const secret = 'a secret of at least 32 characters';

function browser(given: { secret?: string; secure?: boolean } = {}) {
  const clock = { now: Date.UTC(2026, 5, 1) };
  const cookie = createDeviceCookie({ secret, secure: false, ...given, clock: () => clock.now });
  return { clock, cookie };
}
/** The part of a Set-Cookie line that a browser sends back. */
const sent = (line: string) => line.split(';', 1)[0] ?? '';

it('names the browser for the account that it signed in to, and for no other', () => {
  const { cookie } = browser();
  const cookies = sent(cookie.issue(undefined, 'Ada@example.com'));
  expect(cookie.read(`theme=dark; ${cookies}`, 'ada@EXAMPLE.com')).toMatch(/^[\w-]{22}$/);
  expect(cookie.read(cookies, 'eve@example.com')).toBeNull();
  expect(cookie.read(undefined, 'ada@example.com')).toBeNull();
  // Three letters would stand in random base64 once in some hundred runs.
  expect(cookies).not.toMatch(/ada@|example/i);
});

it('keeps the name of the browser when it signs in again, and the names that other accounts gave it', () => {
  const { clock, cookie } = browser();
  const first = sent(cookie.issue(undefined, 'ada@example.com'));
  const second = sent(cookie.issue(first, 'eve@example.com'));
  clock.now += day;
  const third = sent(cookie.issue(second, 'ada@example.com'));
  expect(cookie.read(third, 'ada@example.com')).toBe(cookie.read(first, 'ada@example.com'));
  expect(cookie.read(third, 'eve@example.com')).toBe(cookie.read(second, 'eve@example.com'));
});

it('holds the five accounts that signed in last and stays below 1 KiB', () => {
  const { cookie } = browser();
  let cookies: string | undefined;
  for (let at = 0; at < 8; at += 1) cookies = sent(cookie.issue(cookies, `person-${at}@example.com`));
  const known = Array.from({ length: 8 }, (_, at) => cookie.read(cookies, `person-${at}@example.com`));
  expect(known.map((device) => device !== null)).toEqual([...Array(3).fill(false), ...Array(5).fill(true)]);
  expect(cookies?.length).toBeLessThan(1_024);
});

it('is worthless after 180 days', () => {
  const { clock, cookie } = browser();
  const cookies = sent(cookie.issue(undefined, 'ada@example.com'));
  clock.now += 180 * day - 1_000;
  expect(cookie.read(cookies, 'ada@example.com')).not.toBeNull();
  clock.now += 1_000;
  expect(cookie.read(cookies, 'ada@example.com')).toBeNull();
});

it('is out of reach of scripts and other sites, and goes to a public console over https only', () => {
  expect(browser().cookie.issue(undefined, 'ada@example.com')).toMatch(
    /^homeport\.known_browser=[\w.~-]+; Max-Age=15552000; Path=\/api\/auth; HttpOnly; SameSite=Strict$/,
  );
  expect(browser({ secure: true }).cookie.issue(undefined, 'ada@example.com')).toMatch(
    /^__Secure-homeport\.known_browser=.*; Secure$/,
  );
});

it('is refused unless this console signed it', () => {
  const { cookie } = browser();
  const email = 'ada@example.com';
  const good = sent(cookie.issue(undefined, email));
  const [account = '', device = '', seconds = '', signature = ''] = good.split('=')[1]?.split('.') ?? [];
  const other = sent(browser({ secret: 'another secret of 32 characters!' }).cookie.issue(undefined, email));
  for (const value of [
    `${account}.${'x'.repeat(22)}.${seconds}.${signature}`,
    `${account}.${device}.${Number(seconds) + 1}.${signature}`,
    `${account}.${device}.${seconds}.`,
    `${account}.${device}.${seconds}.${signature}.x`,
    `${account}.${device}.${seconds}.${signature.slice(1)}`,
    '~~~~~~~~',
    '.'.repeat(10_000),
    'x'.repeat(10_000),
  ])
    expect(cookie.read(`homeport.known_browser=${value}`, email)).toBeNull();
  expect(cookie.read(other, email)).toBeNull();
  expect(cookie.read(good, email)).toBe(device);
});
