import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type RegularWork, regularWork, repeatWork, untilNextTurn } from './regular-work.ts';

describe('the turns of regular work', () => {
  test.each([
    ['checks', 10_000, 5_000],
    ['checks', 10_001, 4_999],
    ['checks', 14_999, 1],
    ['notices', 10_000, 2_500],
    ['notices', 12_500, 5_000],
    ['notices', 12_499, 1],
    ['notices', 0, 2_500],
  ] as const)('%s at %i ms come again after %i ms', (work, now, afterMs) => {
    expect(untilNextTurn(work, now)).toBe(afterMs);
  });

  test('two works never begin within half a second of each other', () => {
    const works = Object.keys(regularWork) as RegularWork[];
    for (let now = 0; now < 600_000; now += 625) {
      const due = works.filter((work) => untilNextTurn(work, now - 1) <= 500);
      expect(due.length, `${due} at ${now}`).toBeLessThanOrEqual(1);
    }
  });
});

describe('repeated work', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 10_000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('has its turns at its moments, and goes on after a turn that failed', async () => {
    const at: number[] = [];
    const failures: unknown[] = [];
    const work = repeatWork(
      'notices',
      async () => {
        at.push(Date.now());
        if (at.length === 1) throw new Error('the store is away');
      },
      (error) => failures.push(error),
    );
    await vi.advanceTimersByTimeAsync(8_000);
    expect(at).toEqual([12_500, 17_500]);
    expect(failures).toHaveLength(1);
    await work.stop();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(at).toHaveLength(2);
  });

  test('a long turn delays the next, and stopping waits for it', async () => {
    let turns = 0;
    let end = () => {};
    const work = repeatWork(
      'checks',
      () => {
        turns += 1;
        return new Promise((resolve) => {
          end = resolve;
        });
      },
      () => {},
    );
    await vi.advanceTimersByTimeAsync(30_000);
    expect(turns).toBe(1);
    let stopped = false;
    const stopping = work.stop().then(() => {
      stopped = true;
    });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(stopped).toBe(false);
    end();
    await stopping;
    expect(turns).toBe(1);
  });
});
