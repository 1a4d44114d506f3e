import { expect, test } from 'vitest';
import { ttlText, zoneRemark, zoneStatus } from './zone-texts.ts';

test.each([
  [1, 'Auto'],
  [300, '5 min'],
  [3_600, '1 h'],
  [86_400, '1 d'],
  [90, '90 s'],
])('a TTL of %d reads %s', (seconds, text) => {
  expect(ttlText(seconds)).toBe(text);
});

test('a paused zone says so in place of its status', () => {
  expect(zoneStatus({ status: 'active', paused: true })).toBe('Paused');
  expect(zoneStatus({ status: 'pending', paused: true })).toBe('Pending');
});

test('a zone whose records come from elsewhere says that they are only shown', () => {
  const zone = {
    id: '0',
    name: 'a.example',
    shownName: 'a.example',
    status: 'active',
    type: 'secondary',
    paused: false,
    editable: false,
    createdAt: 0,
  };
  expect(zoneRemark(zone)).toContain('only shown');
  expect(zoneRemark({ ...zone, type: 'full', editable: true })).toBeNull();
});
