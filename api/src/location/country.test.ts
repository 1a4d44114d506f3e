import { createRequire } from 'node:module';
import { countryDatabase } from '@homeport/contract/location/facts';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { countryOf } from './country.ts';
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
