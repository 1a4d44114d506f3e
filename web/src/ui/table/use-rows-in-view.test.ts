import { describe, expect, it } from 'vitest';
import { rowsInView } from './use-rows-in-view.ts';

describe('the rows of a long table that are in the page', () => {
  it('are the first rows and one more screen before any scrolling', () => {
    expect(rowsInView(-300, 900, 45, 500)).toEqual({ from: 0, to: 40 });
  });

  it('reach a screen beyond both edges', () => {
    const { from, to } = rowsInView(9_000, 900, 45, 500);
    expect(from).toBeLessThanOrEqual(180);
    expect(to).toBeGreaterThanOrEqual(240);
  });

  it('end with the last row', () => {
    expect(rowsInView(22_000, 900, 45, 500).to).toBe(500);
  });

  it('stay inside a list that became shorter', () => {
    expect(rowsInView(22_000, 900, 45, 110)).toEqual({ from: 90, to: 110 });
  });
});
