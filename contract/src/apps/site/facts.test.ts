import { expect, test } from 'vitest';
import {
  answerSeconds,
  type SiteField,
  siteDefaults,
  siteFields,
  siteValueProblem,
  uploadBytes,
} from './facts.ts';

test.each<[SiteField, string[], string[]]>([
  [
    'uploadLimit',
    ['0', '1', '500k', '50m', '100g', '107374182400'],
    ['', '101g', '107374182401', '50M', '50mb', '-1', '1.5m', ' 50m', '50m;', 'lots', '1234567890123'],
  ],
  [
    'answerTimeout',
    ['1s', '1000ms', '120s', '5m', '24h', '86400s'],
    ['', '0s', '999ms', '25h', '86401s', '60', '60S', '1d', '1h 30m', '60s;', '123456789s'],
  ],
  ['hsts', ['true', 'false'], ['', 'on', 'TRUE', 'true ']],
  ['hstsSeconds', ['0', '300', '15724800', '63072000'], ['', '63072001', '-1', '1.5', '60s', '300; x']],
  ['hstsSubdomains', ['true', 'false'], ['', 'yes']],
])('%s takes values up to its bounds alone', (field, good, bad) => {
  expect(good.filter((text) => siteValueProblem(field, text) !== null)).toEqual([]);
  expect(bad.filter((text) => siteValueProblem(field, text) === null)).toEqual([]);
});

test('what Dokku does by itself is within the bounds', () => {
  expect(siteFields.filter((field) => siteValueProblem(field, siteDefaults[field]) !== null)).toEqual([]);
});

test('sizes and times are counted as nginx counts them', () => {
  expect(['0', '10', '2k', '1m', '1g'].map(uploadBytes)).toEqual([0, 10, 2_048, 1_048_576, 1_073_741_824]);
  expect(['1500ms', '2s', '2m', '2h'].map(answerSeconds)).toEqual([1.5, 2, 120, 7_200]);
});
