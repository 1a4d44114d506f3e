import { expect, test } from 'vitest';
import { quietText } from './attention.ts';

const all = { apps: true, databases: true, proxies: true };

test('all is clear only where every server reports and every list was read', () => {
  expect(quietText(['online', 'online'], all)).toBe('All clear.');
  expect(quietText(['online', null], all)).toBe(
    'Nothing is known to be wrong. 1 server has not reported yet.',
  );
  expect(quietText(['no-data', null], all)).toBe(
    'Nothing is known to be wrong. 2 servers have not reported yet.',
  );
  expect(quietText(['online'], { ...all, databases: false })).not.toBe('All clear.');
  expect(quietText(['online'], { ...all, apps: false })).not.toBe('All clear.');
});

test('an offline server counts as offline, and not as one that has not reported', () => {
  expect(quietText(['offline', 'no-data', 'online'], all)).toBe(
    'Nothing else is known to be wrong. 1 server is offline. 1 server has not reported yet.',
  );
  expect(quietText(['offline', 'offline'], all)).toBe(
    'Nothing else is known to be wrong. 2 servers are offline.',
  );
});
