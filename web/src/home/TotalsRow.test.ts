import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { statsFixture } from '../servers/stats-fixture.ts';
import type { FleetLine } from '../servers/use-fleet.ts';
import { TotalsRow, type TotalsRowProps } from './TotalsRow.tsx';

const textOf = (props: Partial<TotalsRowProps>) =>
  renderToStaticMarkup(createElement(TotalsRow, { lines: [], apps: [], statsFailed: false, ...props }))
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/ {2,}/g, ' ');

test('transfer is what the plans allow in all, with the rate of now beside it', () => {
  const line = { server: {}, status: 'online', stats: statsFixture() } as FleetLine;
  const apps = [{ plan: 0 }, { plan: 3 }];
  expect(textOf({ lines: [line], apps })).toContain('Transfer 35 GB a month 1,000 B/s now');
});

test('without a rate the total stands alone', () => {
  expect(textOf({})).toMatch(/Transfer 0 GB a month $/);
});
