import { expect, it } from 'vitest';
import { readmeOf } from './readme-of.ts';

it('shows a readme of up to 1000 characters, whatever they are', () => {
  for (const text of ['', '# Ledger\n', 'x'.repeat(1_000), '🚢'.repeat(1_000)])
    expect(readmeOf(text)).toEqual({ kind: 'text', text });
});

it('shows no longer one', () => {
  expect(readmeOf('x'.repeat(1_001))).toEqual({ kind: 'too_long' });
  expect(readmeOf('🚢'.repeat(1_001))).toEqual({ kind: 'too_long' });
});

it('takes no text for a readme that says invalid input, however long', () => {
  expect(readmeOf('Error: invalid input')).toEqual({ kind: 'none' });
  expect(readmeOf(`${'x'.repeat(2_000)} invalid input`)).toEqual({ kind: 'none' });
});
