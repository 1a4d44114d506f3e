import { expect, it } from 'vitest';
import { createRecentChanges, lookBackMs } from './recent-changes.ts';

const at = (start = 0) => {
  let time = start;
  const recent = createRecentChanges(() => time);
  return { recent, wait: (ms: number) => (time += ms) };
};

it('tells of a change after the reading began, to its owner only', () => {
  const { recent, wait } = at();
  wait(10_000);
  recent.changed('ada');
  wait(300);
  expect(recent.missedSince('ada', 500)).toBe('everything');
  expect(recent.missedSince('eve', 500)).toBe('nothing');
});

it('knows that nothing changed since the reading began', () => {
  const { recent, wait } = at();
  wait(10_000);
  recent.changed('ada');
  wait(5_000);
  expect(recent.missedSince('ada', 500)).toBe('nothing');
});

it('counts a change that was committed before the reading and heard later', () => {
  const { recent, wait } = at();
  wait(10_000);
  recent.changed('ada');
  wait(1_000);
  expect(recent.missedSince('ada', 200)).toBe('everything');
});

it('has the stats alone read again after a report', () => {
  const { recent, wait } = at();
  wait(10_000);
  recent.reported();
  wait(300);
  expect(recent.missedSince('ada', 500)).toBe('stats');
});

it('is sure of nothing before it listened, after an interruption, and for longer than it looks back', () => {
  const { recent, wait } = at();
  wait(300);
  expect(recent.missedSince('ada', 500)).toBe('everything');
  wait(10_000);
  recent.interrupted();
  wait(300);
  expect(recent.missedSince('ada', 500)).toBe('everything');
  wait(200_000);
  expect(recent.missedSince('ada', 500)).toBe('nothing');
  expect(recent.missedSince('ada', lookBackMs + 1)).toBe('everything');
});
