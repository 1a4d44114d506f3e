import { expect, it } from 'vitest';
import { readmeOf } from './readme-of.ts';

const account = 'root';

it('shows a readme of up to 1000 characters of any kind, with the account that read it', () => {
  for (const text of ['', '# Ledger\n', 'x'.repeat(1_000), '🚢'.repeat(1_000)])
    expect(readmeOf(text, account)).toEqual({ kind: 'text', text, account });
});

it('does not show a longer readme', () => {
  expect(readmeOf('x'.repeat(1_001), account)).toEqual({ kind: 'too_long', account });
  expect(readmeOf('🚢'.repeat(1_001), account)).toEqual({ kind: 'too_long', account });
});

it('never takes a text that says invalid input for a readme, however long it is', () => {
  expect(readmeOf('Error: invalid input', account)).toEqual({ kind: 'none', account });
  expect(readmeOf(`${'x'.repeat(2_000)} invalid input`, account)).toEqual({ kind: 'none', account });
});
