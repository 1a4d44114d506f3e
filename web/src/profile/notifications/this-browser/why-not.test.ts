import { expect, test } from 'vitest';
import { type BrowserFacts, whyNot } from './why-not.ts';

const able: BrowserFacts = { isSecure: true, hasPush: true, permission: 'default', isApple: false };

test('a browser that can be asked, or has been, is in nobody’s way', () => {
  expect(whyNot(able)).toBeNull();
  expect(whyNot({ ...able, permission: 'granted', isApple: true })).toBeNull();
});

test.each([
  [{ isSecure: false, hasPush: false }, /only from a page over https/],
  [{ hasPush: false }, /takes no push messages/],
  [{ hasPush: false, isApple: true }, /Add to Home Screen/],
  [{ permission: 'denied' as const }, /blocks notifications of this console/],
])('%o says what is in the way', (changes, why) => expect(whyNot({ ...able, ...changes })).toMatch(why));
