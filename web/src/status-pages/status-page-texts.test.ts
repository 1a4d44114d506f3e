import { incidentStates } from '@homeport/contract/status-pages/facts';
import type { StatusPost } from '@homeport/contract/status-pages/schema';
import { expect, test } from 'vitest';
import { addressOf, linesOf, standingOf } from './status-page-texts.ts';

const post: StatusPost = {
  ...{ id: 'one', kind: 'incident', title: 'Slow', createdAt: 0, startsAt: null, endsAt: null, affects: [] },
  updates: [],
};

test('an incident stands where its newest update says', () => {
  const standings = incidentStates.map((state) => {
    const newest = { id: 'b', state, text: '', at: 2 };
    return standingOf({ ...post, updates: [newest, { id: 'a', state: 'resolved', text: '', at: 1 }] }, 9);
  });
  expect(standings.map(({ word }) => word)).toEqual(['Investigating', 'Identified', 'Watching', 'Resolved']);
  expect(standings.map(({ over }) => over)).toEqual([false, false, false, true]);
});

test('a maintenance stands where the clock is', () => {
  const planned: StatusPost = { ...post, kind: 'maintenance', startsAt: 100, endsAt: 200 };
  const words = [99, 100, 199, 200].map((now) => standingOf(planned, now));
  expect(words).toEqual([
    { word: 'Planned', over: false },
    { word: 'Under way', over: false },
    { word: 'Under way', over: false },
    { word: 'Over', over: true },
  ]);
});

test('the address of a page is on the origin of the console', () => {
  expect(addressOf('our-services', 'https://console.example.com')).toBe(
    'https://console.example.com/status/our-services',
  );
});

test('a text is shown line by line, without empty lines', () => {
  expect(linesOf('We look.\n\n  \nSoon more.').map(({ line }) => line)).toEqual(['We look.', 'Soon more.']);
});
