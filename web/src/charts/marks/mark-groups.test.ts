import type { ChartMark } from '@homeport/contract/charts/schema';
import { expect, it } from 'vitest';
import { groupMarks, markText } from './mark-groups.ts';

const work = (at: number): ChartMark => ({
  ...{ kind: 'work', id: String(at), work: 'app.restart', title: 'Restart Shop', state: 'succeeded' },
  ...{ at, endedAt: null },
});

it('marks that would overlap are one group, and what lies outside the range is left out', () => {
  const groups = groupMarks([work(990), work(1_100), work(1_110), work(1_500), work(2_001)], 1_000, 2_000);
  expect(groups.map(({ across, marks }) => [across, marks.length])).toEqual([
    [0, 1],
    [10, 2],
    [50, 1],
  ]);
});

it('an incident says whether it is over', () => {
  const incident = {
    kind: 'incident',
    id: 'i',
    appId: 'a',
    app: 'Shop',
    text: 'It answered 502.',
    at: 1,
  } as const;
  expect(markText({ ...incident, endedAt: null })).toBe('Shop is down: It answered 502.');
  expect(markText({ ...incident, endedAt: 2 })).toBe('Shop was down: It answered 502.');
  expect(markText(work(1))).toBe('Restart Shop');
});
