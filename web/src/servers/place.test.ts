import { expect, test } from 'vitest';
import { placeOf } from './place.ts';

test('what a person wrote wins over what the console found', () => {
  expect(placeOf({ location: 'Lisbon, under the desk', country: 'Germany', provider: 'Hetzner' })).toBe(
    'Lisbon, under the desk',
  );
});

test.each([
  ['Germany', 'Hetzner', 'Germany, Hetzner'],
  ['Germany', null, 'Germany'],
  [null, 'Hetzner', 'Hetzner'],
  [null, null, null],
])('the country %j and the provider %j are shown as %j', (country, provider, place) => {
  expect(placeOf({ location: '', country, provider })).toBe(place);
});
