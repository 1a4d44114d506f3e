import { describe, expect, it } from 'vitest';
import { blockLines, layBlocks } from './log-blocks.ts';

describe('the blocks of a log', () => {
  it('hold every line once', () => {
    const blocks = layBlocks(1, 120, new Map());
    expect([0, 1, 2].map(blocks.block)).toEqual([
      { id: 0, from: 0, to: 50 },
      { id: 1, from: 50, to: 100 },
      { id: 2, from: 100, to: 120 },
    ]);
    expect(blocks.count).toBe(3);
    expect(blocks.top(3)).toBe(120 * 20);
  });
  it('stay the same when earlier lines are dropped', () => {
    const blocks = layBlocks(31, 90, new Map());
    expect([0, 1, 2].map(blocks.block)).toEqual([
      { id: 0, from: 0, to: 20 },
      { id: 1, from: 20, to: 70 },
      { id: 2, from: 70, to: 90 },
    ]);
    expect(layBlocks(51, 70, new Map()).block(0)).toEqual({ id: 1, from: 0, to: blockLines });
  });
  it('stand where those before them end, by what was measured', () => {
    const blocks = layBlocks(1, 150, new Map([[1, { lines: 50, height: 3_000 }]]));
    expect([0, 1, 2, 3].map(blocks.top)).toEqual([0, 1_000, 4_000, 5_000]);
    expect([0, 999, 1_000, 3_999, 4_000, 99_999].map(blocks.at)).toEqual([0, 0, 1, 1, 2, 2]);
  });
  it('grow by a guess where lines came after the measuring', () => {
    expect(layBlocks(1, 40, new Map([[0, { lines: 30, height: 900 }]])).top(1)).toBe(1_100);
  });
  it('tell which of them holds a line', () => {
    const blocks = layBlocks(31, 90, new Map());
    expect([0, 19, 20, 69, 70].map(blocks.ofLine)).toEqual([0, 0, 1, 1, 2]);
  });
  it('are none where there is no line', () => {
    const blocks = layBlocks(1, 0, new Map());
    expect([blocks.count, blocks.at(0), blocks.top(0)]).toEqual([0, 0, 0]);
  });
});
