import { expect, it } from 'vitest';
import { barLook, saidOf, shareUp, spoken } from './uptime-bars.ts';

const hour = 3_600_000;
const from = Date.UTC(2026, 10, 23, 10);
const up = { up: 60, down: 0 };
const none = { up: 0, down: 0 };

it('the share is of all checks, not of all bars', () => {
  expect(shareUp({ bars: [{ up: 3, down: 1 }, none, { up: 96, down: 0 }] })).toBe(99);
  expect(shareUp({ bars: [none] })).toBeNull();
});

it('a step with one failed check looks other than one without, and one without a check is neither', () => {
  expect(barLook(up)).toEqual({ kind: 'up', height: 1 });
  expect(barLook({ up: 59, down: 1 })).toEqual({ kind: 'partly', height: 0.85 });
  expect(barLook({ up: 0, down: 60 })).toEqual({ kind: 'down', height: 0.25 });
  expect(barLook(none).kind).toBe('none');
});

it('says what each step was, and which ones failed', () => {
  expect(saidOf(none, from, hour)).toContain(': not checked');
  expect(saidOf({ up: 59, down: 1 }, from, hour)).toContain('of 60 checks found the app up');
  expect(spoken({ from, stepMs: hour, bars: [up, up] })).toContain('No check failed.');
  const bars = Array.from({ length: 7 }, () => ({ up: 1, down: 1 }));
  expect(spoken({ from, stepMs: hour, bars })).toContain('2 earlier steps had failed checks.');
  expect(spoken({ from, stepMs: hour, bars: [none] })).toBe('Uptime: no data.');
});
