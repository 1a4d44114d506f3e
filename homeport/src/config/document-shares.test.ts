import { existsSync, readFileSync } from 'node:fs';
import { shares } from '@homeport/contract/shares/table';
import { expect, test } from 'vitest';
import { withShares } from './document-shares.ts';
import { settings } from './settings.ts';

const root = new URL('../../../', import.meta.url);

test('SECURITY.md agrees with the table of shares (`npx tsx scripts/document-settings.ts` writes it)', () => {
  const page = readFileSync(new URL('SECURITY.md', root), 'utf8');
  expect(page).toBe(withShares(page));
});

test.each(shares)('a file holds the share of $what, and a test tries its edge', ({ heldIn, test }) => {
  expect(existsSync(new URL(heldIn, root)), heldIn).toBe(true);
  expect(existsSync(new URL(test, root)), test).toBe(true);
});

test('a share names only settings that exist', () => {
  const named = shares.flatMap(({ setting }) => setting ?? []);
  expect(named.filter((name) => !Object.keys(settings).includes(name))).toEqual([]);
});

test('each share has a number, and says what happens beyond it', () => {
  for (const { what, number, beyond } of shares) {
    expect(number, what).toBeGreaterThan(0);
    expect(beyond, what).not.toBe('');
  }
});
