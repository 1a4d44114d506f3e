import { expect, test } from 'vitest';
import { withHost } from './connection-strings.ts';

test.each([
  ['postgres://postgres:ab12@dokku-postgres-x:5432/x', 'postgres://postgres:ab12@192.0.2.4:20432/x'],
  // The plugins escape nothing in a password that somebody chose.
  [
    'postgres://postgres:a/b@c?d#e@dokku-postgres-x:5432/x',
    'postgres://postgres:a/b@c?d#e@192.0.2.4:20432/x',
  ],
  ['redis://:ab12@dokku-redis-x:6379', 'redis://:ab12@192.0.2.4:20432'],
  ['memcached://dokku-memcached-x:11211', 'memcached://192.0.2.4:20432'],
])('the external form of %s names the server and its port', (internal, external) => {
  expect(withHost(internal, '192.0.2.4', 20_432)).toBe(external);
});

test('the external form has an IPv6 address in brackets', () => {
  expect(withHost('redis://:ab12@dokku-redis-x:6379', '2001:db8::4', 20_432)).toBe(
    'redis://:ab12@[2001:db8::4]:20432',
  );
});
