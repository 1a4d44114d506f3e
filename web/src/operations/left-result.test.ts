import { describe, expect, it } from 'vitest';
import { returnsAsWindow } from './left-result.ts';

const now = 1_700_000_000_000;

describe('a window that was open when the page was reloaded', () => {
  it('comes back while its operation goes on, however long', () => {
    for (const state of ['queued', 'running', 'waiting'] as const)
      expect(returnsAsWindow({ state, endedAt: null }, now)).toBe(true);
  });

  it('comes back with a result of the last minute', () => {
    expect(returnsAsWindow({ state: 'succeeded', endedAt: now - 59_000 }, now)).toBe(true);
  });

  it('stays closed when its operation ended before that', () => {
    for (const state of ['succeeded', 'failed', 'cancelled'] as const)
      expect(returnsAsWindow({ state, endedAt: now - 15 * 60_000 }, now)).toBe(false);
  });
});
