import { expect, test } from 'vitest';
import { wantedAtFirst } from './DomainRecord.tsx';

test('only a record at a name where nothing stands is chosen beforehand', () => {
  expect(wantedAtFirst({ kind: 'missing' })).toBe(true);
  expect(wantedAtFirst({ kind: 'elsewhere' })).toBe(false);
  expect(wantedAtFirst(undefined)).toBe(false);
});
