import { containersPerApp } from '@homeport/contract/limits';
import { expect, it } from 'vitest';
import { type LogPlace, notePlace, readCursor, writeCursor } from './log-cursor.ts';

const place = { at: 1_764_000_000_000, nanos: 7, count: 1 };

it('notes as many processes as an app may have, the last ones', () => {
  const places = new Map<string, LogPlace>();
  for (let index = 0; index < 5_000; index += 1) notePlace(places, `web.${index}`, place);
  expect(places.size).toBe(containersPerApp);
  expect(places.has('web.4999')).toBe(true);
});

it('notes no process that no container has, so that a reader can come back with every word', () => {
  const places = new Map<string, LogPlace>();
  for (const process of ['web.1', 'a b', 'a:b', 'a,b', 'x'.repeat(101), ''])
    notePlace(places, process, place);
  expect([...places.keys()]).toEqual(['web.1']);
  expect(readCursor(writeCursor({ complete: false, places }))?.places).toEqual(places);
});
