import { expect, test } from 'vitest';
import { isPlain } from './plain-variable.ts';

const sha = '0'.repeat(40);

test.each([
  ['GIT_REV', sha, true, true],
  ['NO_VHOST', '0', true, true],
  ['DOKKU_PROXY_PORT_MAP', 'http:80:5000', true, true],
  ['DATABASE_URL', 'x', true, false],
  ['DOKKU_LETSENCRYPT_TOKEN', 'x', true, false],
  ['CACHE', 'redis://:pw@dokku-redis-a:6379', true, false],
  ['GREETING', 'ahoy', false, false],
  ['GIT_REV', sha, false, false],
])('%s=%s, kept by Dokku: %s, is shown at once: %s', (key, value, managed, expected) => {
  expect(isPlain({ key, value, managed })).toBe(expected);
});
