import { expect, test } from 'vitest';
import { browserState } from './browser-state.ts';

const destination = { id: 'one', device: 'hash' };
const known = { subscription: { device: 'hash', key: 'key' }, consoleKey: 'key', remembered: ['one'] };

test.each([
  ['here', {}],
  ['here', { remembered: [] }],
  ['other-key', { consoleKey: 'another key' }],
  ['lost', { subscription: null }],
  ['lost', { subscription: { device: 'another', key: 'key' } }],
  ['elsewhere', { subscription: null, remembered: ['two'] }],
  ['elsewhere', { subscription: { device: 'another', key: 'key' }, remembered: [] }],
])('a destination is %s with %o', (state, changes) =>
  expect(browserState(destination, { ...known, ...changes })).toBe(state),
);
