import { expect, test } from 'vitest';
import { sayBrowser } from './say-browser.ts';

test.each([
  ['on', 'here', false, /until you remove the destination/],
  ['off', 'here', false, /switched off/],
  ['broken', 'here', true, /Nothing is sent to it/],
  ['on', 'elsewhere', false, /another browser, .*until you remove the destination/],
  ['off', 'elsewhere', false, /another browser, .*switched off/],
  ['broken', 'elsewhere', false, /Open this page in it/],
  ['on', 'lost', true, /has dropped/],
  ['on', 'other-key', true, /a key that the console no longer has/],
] as const)('a destination that is %s and %s', (state, browser, isOffered, text) => {
  expect(sayBrowser(state, browser)).toEqual({ isOffered, text: expect.stringMatching(text) });
});
