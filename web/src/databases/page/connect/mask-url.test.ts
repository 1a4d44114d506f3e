import { expect, test } from 'vitest';
import { maskUrl } from './mask-url.ts';

test.each([
  [
    'postgres://postgres:0f3c9a@dokku-postgres-ledger:5432/ledger',
    'postgres://postgres:••••••••@dokku-postgres-ledger:5432/ledger',
  ],
  ['redis://:0f3c9a@dokku-redis-cache:6379', 'redis://:••••••••@dokku-redis-cache:6379'],
  ['mongodb://m:pw@h:27017/m?authSource=admin', 'mongodb://m:••••••••@h:27017/m?authSource=admin'],
  ['memcached://dokku-memcached-m:11211', 'memcached://dokku-memcached-m:11211'],
  ['mysql://u:a@b:c@h/db', 'mysql://u:••••••••@h/db'],
  ['mysql://u:a/b?c@h/db', 'mysql://u:••••••••@h/db'],
  ['whatever', '••••••••'],
  ['', '••••••••'],
])('%s is shown as %s', (url, shown) => {
  expect(maskUrl(url)).toBe(shown);
});
