import type { UptimeIncident } from '@homeport/contract/uptime/schema';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Incidents } from './Incidents.tsx';

const incidents = (count: number) =>
  Array.from(
    { length: count },
    (_, at): UptimeIncident => ({
      ...{ id: `i-${at}`, startedAt: 1_000_000 - at * 60_000, endedAt: 1_030_000 - at * 60_000 },
      ...{ cause: 'status', text: `answered 502, time ${at}` },
    }),
  );
const drawn = (count: number) =>
  renderToStaticMarkup(createElement(Incidents, { incidents: incidents(count) }));
const rowsIn = (markup: string) => markup.match(/<li/g)?.length ?? 0;

test('a page shows the last three incidents, and the others on request', () => {
  const markup = drawn(20);
  expect(rowsIn(markup)).toBe(3);
  expect(markup).toContain('time 2');
  expect(markup).not.toContain('time 3');
  expect(markup).toContain('Show all 20');
});

test('few incidents stand there without a button, and none is a sentence', () => {
  expect(rowsIn(drawn(3))).toBe(3);
  expect(drawn(3)).not.toContain('<button');
  expect(drawn(0)).toContain('No incidents yet.');
});
