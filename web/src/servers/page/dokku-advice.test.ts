import { expect, test } from 'vitest';
import { dokkuAdvice } from './dokku-advice.ts';

test('a Dokku as recommended, a newer one and none at all need no advice', () => {
  expect(['0.38.27', '0.39.0', '1.0.0', null].map(dokkuAdvice)).toEqual([null, null, null, null]);
});

test('a Dokku below the floor is a warning, one below the recommendation is not', () => {
  expect(dokkuAdvice('0.34.9')?.tone).toBe('warn');
  expect(dokkuAdvice('0.35.0')?.tone).toBe('info');
  // As text, 0.38.3 would be newer than 0.38.27.
  expect(dokkuAdvice('0.38.3')?.tone).toBe('info');
});

test('the command upgrades to the recommended version', () => {
  expect(dokkuAdvice('0.37.2')?.command).toContain('DOKKU_TAG=v0.38.27 bash bootstrap.sh');
});
