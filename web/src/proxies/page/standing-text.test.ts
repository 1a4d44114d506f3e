import { expect, test } from 'vitest';
import { ownershipText, pointingText } from './standing-text.ts';

test.each([
  ['cname', 'CNAME found'],
  ['addresses', 'Its addresses lead here'],
  ['asked', 'A request for it arrives here'],
  ['local', 'Leads to this machine'],
  [null, 'Leads here'],
] as const)('a domain that points here by %s says so: %s', (pointingBy, text) => {
  expect(pointingText({ pointing: true, pointingBy })).toBe(text);
});

test('a domain that does not point here, or was not asked about, claims no proof', () => {
  expect(pointingText({ pointing: false, pointingBy: null })).toBe('Does not lead here yet');
  expect(pointingText({ pointing: null, pointingBy: null })).toBe('DNS not asked yet');
});

test('only a name below localhost needs no proof', () => {
  expect(ownershipText('shop.localhost', 'zone')).toBe('Reached from this machine only');
  expect(ownershipText('shop.example.com', null)).toBe('Waiting for the TXT record or the owner');
});
