import { expect, it } from 'vitest';
import { credentialOptions } from './credential-options.ts';

const keys = [
  { id: 'a', name: 'Office' },
  { id: 'b', name: 'Laptop' },
  { id: 'c', name: 'Phone' },
  { id: 'd', name: 'Desk' },
];
const labels = (held: Set<string> | undefined) => credentialOptions(keys, held).map(({ label }) => label);

it('offers first the keys that this browser holds, and marks the others', () => {
  expect(labels(new Set(['b', 'd']))).toEqual([
    'Laptop',
    'Desk',
    'Office (not in this browser)',
    'Phone (not in this browser)',
    'Password',
    'None: read-only',
  ]);
});

it('keeps the order of the list until it is known which keys this browser holds', () => {
  expect(labels(undefined)).toEqual(['Office', 'Laptop', 'Phone', 'Desk', 'Password', 'None: read-only']);
});
