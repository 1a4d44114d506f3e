import { expect, it } from 'vitest';
import { type ChartSearch, readAddress } from './chart-address.ts';

/** What the chart's controls led to. */
function address(search: ChartSearch) {
  const shown: unknown[] = [];
  return { shown, ...readAddress(search, (...to) => shown.push(to)) };
}

it('reads the range for the calls: a length up to now, or with its end', () => {
  expect(address({ last: '7d' }).query).toEqual({ spanSeconds: 604_800 });
  const to = '2026-11-23T14:05:00Z';
  expect(address({ from: '2026-11-23T12:05:00Z', to }).query).toEqual({
    spanSeconds: 7_200,
    to: String(Date.parse(to)),
  });
});

it('each control changes its own part of the address and keeps the others', () => {
  const { ways, shown, keys } = address({ last: '7d', with: 'one,two' });
  expect(keys).toEqual(['one', 'two']);
  ways.onMeasure('ram');
  ways.onRange({ spanSeconds: 3_600, to: null });
  ways.onCompare(['two']);
  ways.onCompare([]);
  expect(shown).toEqual([
    [{ last: '7d', with: 'one,two' }, 'ram'],
    [{ last: '1h', with: 'one,two' }],
    [{ last: '7d', with: 'two' }],
    [{ last: '7d', with: undefined }],
  ]);
});
