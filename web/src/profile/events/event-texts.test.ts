import { expect, it } from 'vitest';
import { eventText } from './event-texts.ts';

it('says what happened, how often and to what', () => {
  expect(eventText({ kind: 'signed_in', subject: null, count: 1 })).toBe('Signed in');
  expect(eventText({ kind: 'key_added', subject: 'laptop', count: 1 })).toBe('Key added: laptop');
  expect(eventText({ kind: 'sign_in_failed', subject: null, count: 3 })).toBe('Failed sign-in, 3 times');
});
