import { expect, test } from 'vitest';
import { dokkuAdvice } from './dokku-advice.ts';

test('a Dokku as recommended, a newer one and none at all need no advice', () => {
  expect(['0.38.27', '0.39.0', '1.0.0', null].map(dokkuAdvice)).toEqual([null, null, null, null]);
});

test('a Dokku below the floor is a warning, and so is one with a known fault', () => {
  expect(dokkuAdvice('0.36.9')).toMatchObject({
    tone: 'warn',
    text: expect.stringContaining('0.37.0, the oldest version that Homeport works with'),
  });
  expect(dokkuAdvice('0.37.0')?.text).not.toContain('the oldest');
  // A comparison as text would call 0.38.3 newer than 0.38.27.
  expect(dokkuAdvice('0.38.3')?.tone).toBe('warn');
});

test('an older Dokku without a known fault gets only a recommendation to upgrade', () => {
  expect(dokkuAdvice('0.38.25')).toMatchObject({ tone: 'info', faults: [] });
});

test('the text counts holes and losses, and each comes with its source', () => {
  expect(dokkuAdvice('0.38.24')?.text).toContain('has 1 known security hole fixed');
  expect(dokkuAdvice('0.38.26')?.text).toContain('has 1 known fault that loses data fixed');
  const advice = dokkuAdvice('0.38.6');
  expect(advice?.text).toContain('has 2 known security holes and 1 known fault that loses data fixed');
  expect(advice?.faults.map(({ source }) => source)).toContain('https://github.com/dokku/dokku/pull/8848');
});

test('the command upgrades to the recommended version', () => {
  expect(dokkuAdvice('0.37.2')?.command).toContain('DOKKU_TAG=v0.38.27 bash bootstrap.sh');
});
