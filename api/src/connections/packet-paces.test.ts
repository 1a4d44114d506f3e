import { packetPace } from '@homeport/contract/limits';
import { expect, test } from 'vitest';
import { createPacketPaces } from './packet-paces.ts';

test('all connections of a person have one pace, and nobody else’s', () => {
  let now = 0;
  const paces = createPacketPaces(() => now);
  const first = paces.of('eve');
  for (let n = 0; n <= packetPace.atOnce; n += 1) first.take();
  expect(paces.of('ada').waitMs()).toBe(0);
  expect(paces.of('eve')).toBe(first);
  expect(paces.of('eve').waitMs()).toBeGreaterThan(0);
  now += 60_000;
  expect(paces.of('eve').waitMs()).toBe(0);
});

test('a pace stays the one of its account while a connection holds it', () => {
  const paces = createPacketPaces(() => 0);
  const pace = paces.of('eve');
  const free = pace.hold();
  paces.of('ada');
  expect(paces.of('eve')).toBe(pace);
  free();
  paces.of('ada');
  expect(paces.of('eve')).not.toBe(pace);
});
