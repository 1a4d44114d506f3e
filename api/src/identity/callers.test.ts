import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { createCallers } from './callers.ts';

const secret = 'a secret of the console';
const context = {
  secret,
  authCookies: { sessionToken: { name: 'homeport.session_token' } },
} as Parameters<typeof createCallers>[0];

const signed = (token: string, by = secret) =>
  `homeport.session_token=${encodeURIComponent(`${token}.${createHmac('sha256', by).update(token).digest('base64')}`)}`;
const request = (cookie: string | undefined, ip: string) => ({
  headers: cookie === undefined ? {} : { cookie },
  ip,
});

it('counts all sessions of a person together, from whichever addresses', () => {
  const callers = createCallers(context);
  callers.note(request(signed('one'), '192.0.2.1'), 'ada');
  callers.note(request(signed('two'), '192.0.2.2'), 'ada');
  const seen = ['one', 'two'].flatMap((token) =>
    ['192.0.2.1', '192.0.2.3'].map((ip) => callers.of(request(signed(token), ip))),
  );
  expect(new Set(seen)).toEqual(new Set(['ada']));
});

it('counts a session alone until its person is known, and everything else for its address', () => {
  const callers = createCallers(context);
  expect(callers.of(request(signed('one'), '192.0.2.1'))).toBe('one');
  for (const cookie of [undefined, 'theme=dark', signed('one', 'another secret'), `${signed('one')}A`])
    expect(callers.of(request(cookie, '192.0.2.1'))).toBe('192.0.2.1');
});
