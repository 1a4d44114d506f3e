import { expect, test } from 'vitest';
import {
  dokkuFaults,
  faultsOfDokku,
  isDokkuAtLeast,
  oldestDokku,
  recommendedDokku,
  tooOldDokku,
} from './dokku-versions.ts';

const fixes = (version: string) => faultsOfDokku(version).map(({ fixedIn }) => fixedIn);

test('versions are compared number by number', () => {
  expect(isDokkuAtLeast('0.38.3', '0.38.27')).toBe(false);
  expect(isDokkuAtLeast('0.100.0', '0.38.27')).toBe(true);
  expect(isDokkuAtLeast('0.38.27', '0.38.27')).toBe(true);
  expect(isDokkuAtLeast('1.0', '0.38.27')).toBe(true);
});

test('the recommended version and later ones have no known fault', () => {
  expect([recommendedDokku, '0.39.0', '1.0.0'].flatMap(faultsOfDokku)).toEqual([]);
});

test('a fault is in the versions before its fix and not in the fix itself', () => {
  for (const { fixedIn, source } of dokkuFaults) {
    expect(faultsOfDokku(fixedIn).map((fault) => fault.source)).not.toContain(source);
    expect(isDokkuAtLeast(recommendedDokku, fixedIn)).toBe(true);
  }
  expect(fixes('0.38.24')).toEqual(['0.38.25']);
  expect(fixes('0.38.6')).toEqual(['0.38.25', '0.38.7', '0.38.16']);
});

test('a fault that a version introduced is not in older versions', () => {
  expect(fixes('0.38.26')).toEqual(['0.38.27']);
  expect(fixes('0.38.25')).toEqual([]);
  for (const { since, fixedIn } of dokkuFaults) {
    if (since !== null) expect(isDokkuAtLeast(since, fixedIn)).toBe(false);
  }
});

test('0.35.0 has every fault that no later version introduced, security holes first', () => {
  const found = faultsOfDokku('0.35.0');
  expect(found).toHaveLength(dokkuFaults.filter(({ since }) => since === null).length);
  expect(found.map(({ kind }) => kind)).toEqual(
    found
      .map(({ kind }) => kind)
      .toSorted()
      .toReversed(),
  );
});

test('each fault names its own change once', () => {
  const sources = dokkuFaults.map(({ source }) => source);
  expect(new Set(sources).size).toBe(sources.length);
});

test('the oldest version is the first that takes variables over stdin, and an older one is told why it is not enough', () => {
  expect(oldestDokku).toBe('0.37.0');
  expect(tooOldDokku('0.36.4')).toContain('Dokku 0.36.4 is older than 0.37.0');
  expect(tooOldDokku('0.36.4')).toContain('variables');
});
