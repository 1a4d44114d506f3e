import { expect, test } from 'vitest';
import { removalOf } from './removal-of.ts';

const found = (zoneId: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    zoneId,
    zoneName: 'a.example',
    record: {
      id: `${zoneId}${at}`,
      name: 'a.example',
      shownName: 'a.example',
      type: 'A',
      content: '203.0.113.24',
      ttl: 1,
      proxied: false,
      priority: null,
      caa: null,
      srv: null,
      comment: null,
      pointsAt: null,
    },
  }));

test('the records of a zone are removed together, at most a hundred at once', () => {
  const sizes = removalOf([...found('a', 250), ...found('b', 1)]).map(({ zones }) =>
    zones.map(({ zone, records }) => [zone, records.length]),
  );
  expect(sizes).toEqual([[['a', 100]], [['a', 100]], [['a', 50]], [['b', 1]]]);
});
