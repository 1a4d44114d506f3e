import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { forgetLast, readRemembered, remember } from './remembered.ts';

const kept = new Map<string, string>();
beforeEach(() => {
  kept.clear();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => kept.set(name, text),
  });
});
afterAll(() => vi.unstubAllGlobals());

test('the address of a browser ends with the last destination that was made in it', () => {
  remember('ours');
  remember('theirs');
  remember('ours');
  expect(readRemembered()).toEqual(['ours', 'theirs']);
  expect([forgetLast('ours'), forgetLast('theirs')]).toEqual([false, true]);
});

test('what a browser does not know ends nothing', () => {
  expect(forgetLast('ours')).toBe(false);
  kept.set('homeport.push', 'no JSON');
  expect(readRemembered()).toEqual([]);
  vi.stubGlobal('localStorage', undefined);
  remember('ours');
  expect(forgetLast('ours')).toBe(false);
});

test('at most twenty are remembered', () => {
  for (let n = 0; n < 25; n += 1) remember(String(n));
  expect(readRemembered()).toHaveLength(20);
});
