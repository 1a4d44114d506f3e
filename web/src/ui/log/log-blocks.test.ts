import { describe, expect, it } from 'vitest';
import { blockLines, layBlocks } from './log-blocks.ts';

describe('the blocks of a log', () => {
  it('hold every line once', () => {
    const blocks = layBlocks(1, 60, new Map());
    expect([0, 1, 2].map(blocks.block)).toEqual([
      { id: 0, from: 0, to: 25 },
      { id: 1, from: 25, to: 50 },
      { id: 2, from: 50, to: 60 },
    ]);
    expect(blocks.count).toBe(3);
    expect(blocks.top(3)).toBe(60 * 20);
  });
  it('stay the same when earlier lines are dropped', () => {
    const blocks = layBlocks(16, 45, new Map());
    expect([0, 1, 2].map(blocks.block)).toEqual([
      { id: 0, from: 0, to: 10 },
      { id: 1, from: 10, to: 35 },
      { id: 2, from: 35, to: 45 },
    ]);
    expect(layBlocks(26, 35, new Map()).block(0)).toEqual({ id: 1, from: 0, to: blockLines });
  });
  it('begin where the block before ends, by its measured height', () => {
    const blocks = layBlocks(1, 75, new Map([[1, { lines: 25, height: 1_500 }]]));
    expect([0, 1, 2, 3].map(blocks.top)).toEqual([0, 500, 2_000, 2_500]);
    expect([0, 499, 500, 1_999, 2_000, 99_999].map(blocks.at)).toEqual([0, 0, 1, 1, 2, 2]);
  });
  it('grow by an estimate when lines came after the measurement', () => {
    expect(layBlocks(1, 20, new Map([[0, { lines: 15, height: 450 }]])).top(1)).toBe(550);
  });
  it('find the block of a line', () => {
    const blocks = layBlocks(16, 45, new Map());
    expect([0, 9, 10, 34, 35].map(blocks.ofLine)).toEqual([0, 0, 1, 1, 2]);
  });
  it('are absent without lines', () => {
    const blocks = layBlocks(1, 0, new Map());
    expect([blocks.count, blocks.at(0), blocks.top(0)]).toEqual([0, 0, 0]);
  });
});
