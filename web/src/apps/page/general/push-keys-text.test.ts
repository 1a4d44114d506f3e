import { expect, test } from 'vitest';
import { pushKeysText } from './push-keys-text.ts';

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
