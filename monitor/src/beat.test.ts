import { describe, expect, test } from 'vitest';
import { beatMs, untilNextLook } from './beat.ts';

describe('the beat of background work', () => {
  test.each([
    ['checks', 10_000, beatMs],
    ['checks', 10_001, 4_999],
    ['checks', 14_999, 1],
    ['notices', 10_000, 2_500],
    ['notices', 12_500, beatMs],
    ['notices', 12_499, 1],
    ['notices', 0, 2_500],
  ] as const)('%s at %i ms look again after %i ms', (work, now, afterMs) => {
    expect(untilNextLook(work, now)).toBe(afterMs);
  });

  test('different works never look in the same tenth of a second, however long the console runs', () => {
    let now = 1_795_354_230_123;
    for (let beat = 0; beat < 10_000; beat += 1) {
      now += 1_237;
      expect(Math.abs(untilNextLook('checks', now) - untilNextLook('notices', now))).toBeGreaterThan(100);
    }
  });
});
