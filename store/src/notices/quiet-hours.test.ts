import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../testing.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.close());

const berlin = { zone: 'Europe/Berlin', grave: false };

/** When such hours begin and end from noon of this day to noon of the next one, in UTC, to the minute. */
async function edges(hours: object, day: string): Promise<string[]> {
  const noon = Date.parse(`${day}T12:00:00Z`);
  const { rows } = await database.store.pool.query<{ at: number }>(
    `select at from (
       select at, is_quiet($1, at) as quiet, lag(is_quiet($1, at)) over (order by at) as before
       from generate_series($2::bigint, $2::bigint + 86400000, 60000) as at) minutes
     where quiet <> before order by at`,
    [JSON.stringify(hours), noon],
  );
  return rows.map(({ at }) => new Date(at).toISOString().slice(0, 16));
}

test.each([
  ['over midnight', { from: '22:00', to: '07:00' }, '2026-07-01', ['2026-07-01T20:00', '2026-07-02T05:00']],
  ['within a day', { from: '09:15', to: '11:45' }, '2026-01-14', ['2026-01-15T08:15', '2026-01-15T10:45']],
  [
    'over a shorter night',
    { from: '22:00', to: '07:00' },
    '2026-03-28',
    ['2026-03-28T21:00', '2026-03-29T05:00'],
  ],
  [
    'over a longer night',
    { from: '22:00', to: '07:00' },
    '2026-10-24',
    ['2026-10-24T20:00', '2026-10-25T06:00'],
  ],
  [
    'to a time that does not exist',
    { from: '22:00', to: '02:30' },
    '2026-03-28',
    ['2026-03-28T21:00', '2026-03-29T01:30'],
  ],
  [
    'from a time that does not exist',
    { from: '02:15', to: '06:00' },
    '2026-03-28',
    ['2026-03-29T01:15', '2026-03-29T04:00'],
  ],
  [
    'between two times that do not exist',
    { from: '02:15', to: '02:45' },
    '2026-03-28',
    ['2026-03-29T01:15', '2026-03-29T01:45'],
  ],
  [
    'to a time that comes twice',
    { from: '22:00', to: '02:30' },
    '2026-10-24',
    ['2026-10-24T20:00', '2026-10-25T01:30'],
  ],
  [
    'from a time that comes twice',
    { from: '02:30', to: '06:00' },
    '2026-10-24',
    ['2026-10-25T01:30', '2026-10-25T05:00'],
  ],
])('quiet hours %s begin once and end once', async (_, hours, day, expected) => {
  expect(await edges({ ...berlin, ...hours }, day)).toEqual(expected);
});

test('hours of a zone that the store does not know, and no hours, are never quiet', async () => {
  expect(
    await edges({ from: '22:00', to: '07:00', zone: 'Europe/Atlantis', grave: false }, '2026-07-01'),
  ).toEqual([]);
  const { rows } = await database.store.pool.query('select is_quiet(null, 0) as none');
  expect(rows).toEqual([{ none: false }]);
});
