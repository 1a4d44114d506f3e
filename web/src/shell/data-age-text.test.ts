import { staleAfterMs } from '@homeport/contract/limits';
import { expect, test } from 'vitest';
import { dataAgeText } from './data-age-text.ts';

const now = 10 * staleAfterMs;
const old = now - 2 * staleAfterMs;

test('while changes stream in, old data are up to date and warn of nothing', () => {
  expect(dataAgeText('live', old, now)).toEqual({ text: 'Live', late: false });
});

test('without the stream, the age of the oldest data stands there, and warns once it is over the bound', () => {
  expect(dataAgeText('polling', now, now)).toEqual({ text: 'Updated just now', late: false });
  expect(dataAgeText('polling', old, now)).toEqual({ text: 'Updated 10 min ago', late: true });
  expect(dataAgeText('polling', null, now)).toEqual({ text: 'Not loaded yet', late: false });
});

test('while the stream is opening, only old data say their age', () => {
  expect(dataAgeText('connecting', now, now)).toEqual({ text: '', late: false });
  expect(dataAgeText('connecting', old, now).late).toBe(true);
});
