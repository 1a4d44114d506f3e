import { expect, test } from 'vitest';
import { nextOfSubmit, straysAfter, wantedAtFirst } from './OfferedRecord.tsx';

test('only a record at a name where nothing stands is chosen beforehand', () => {
  expect(wantedAtFirst({ kind: 'missing' })).toBe(true);
  expect(wantedAtFirst({ kind: 'elsewhere' })).toBe(false);
  expect(wantedAtFirst(undefined)).toBe(false);
});

test('a submit before the records are read waits, whatever is known so far', () => {
  for (const change of [true, false])
    for (const wanted of [true, false]) expect(nextOfSubmit({ waiting: true, change, wanted })).toBe('wait');
});

test('a submit makes the record only where one is offered and chosen', () => {
  expect(nextOfSubmit({ waiting: false, change: true, wanted: true })).toBe('make');
  expect(nextOfSubmit({ waiting: false, change: true, wanted: false })).toBe('skip');
  expect(nextOfSubmit({ waiting: false, change: false, wanted: true })).toBe('skip');
});

test('a name leads elsewhere where its record is not made or cannot be made', () => {
  const straying = (wanted: boolean) =>
    (['in_place', 'missing', 'elsewhere', 'read_only'] as const).filter((kind) =>
      straysAfter({ kind }, wanted),
    );
  expect(straying(true)).toEqual(['read_only']);
  expect(straying(false)).toEqual(['missing', 'elsewhere', 'read_only']);
});
