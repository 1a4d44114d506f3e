import { getHeapSpaceStatistics } from 'node:v8';
import { expect, it } from 'vitest';
import { collectGarbageOfStart } from './garbage-of-start.ts';

const roomForNewObjectsBytes = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;

it('gives back the room for new objects that reading the programs took', async () => {
  const enlarged = 8 * 2 ** 20;
  let kept: object[] = [];
  // V8 enlarges the room while much of what is made stays in use.
  for (let made = 0; made < 10_000_000 && roomForNewObjectsBytes() < enlarged; made += 10_000) {
    if (kept.length > 500_000) kept = [];
    for (let index = 0; index < 10_000; index += 1) kept.push({ index });
  }
  expect(roomForNewObjectsBytes()).toBeGreaterThanOrEqual(enlarged);
  kept = [];
  await collectGarbageOfStart();
  expect(roomForNewObjectsBytes()).toBeLessThan(enlarged);
});
