import type { PushKey, PushList } from '@homeport/contract/apps/push-keys/schema';
import { expect, test } from 'vitest';
import { pushersText, pushKeysText, titleOf } from './push-keys-text.ts';

const keys = [
  { id: 'a', name: 'Laptop' },
  { id: 'b', name: 'Desk' },
];
const text = (allowed: string[] | null, imported = false) => pushKeysText({ keys: allowed, imported }, keys);

test('names the keys that may push, and counts those that were removed', () => {
  expect(text(['b', 'a'])).toBe('Desk, Laptop');
  expect(text(['a', 'gone'])).toBe('Laptop, a key that you removed here');
  expect(text(['gone', 'too'])).toBe('2 keys that you removed here');
});

test('says when every key may push, and when nobody knows', () => {
  expect(text([])).toBe('Every key of the server');
  expect(text(null, true)).toBe('Not known: the app was made elsewhere');
  expect(text(null)).toBe('Not known');
});

const key = (name: string | null, more: Partial<PushKey> = {}): PushKey => ({
  ...{ name, keyId: null, fingerprints: ['SHA256:x'], moreOfName: 0 },
  ...{ standing: 'named', listed: true, deploys: false, ...more },
});
const told = (keys_: PushKey[], more: Partial<PushList> = {}): string =>
  pushersText(
    { ...{ hasLists: true, keys: keys_, more: 0, odd: 0, isTooLong: false, mayAdd: true }, ...more },
    keys,
  );

test('names who is on the list that the server told, by the person’s own names first', () => {
  const listed = [key('homeport-1', { keyId: 'a' }), key('alice'), key('bob', { listed: false })];
  expect(told([...listed, key('homeport-deploys-1', { deploys: true })])).toBe('Laptop, alice, GitHub');
  expect(told([key('alice')], { odd: 1 })).toBe('alice, another key');
  expect(told([], { odd: 2 })).toBe('2 other keys');
  expect(titleOf(key(null, { keyId: 'gone' }), keys)).toBe('A key that you removed here');
});

test('a list without names, and a server without lists, let every key push', () => {
  expect(told([key('alice', { listed: false })])).toBe('Every key of the server');
  expect(told([key('alice', { listed: false })], { hasLists: false })).toBe('Every key of the server');
});
