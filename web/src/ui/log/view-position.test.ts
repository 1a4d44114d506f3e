import { describe, expect, it } from 'vitest';
import { blockLines, layBlocks } from './log-blocks.ts';
import { nextMove, rangeWithin, topOf, viewAt } from './view-position.ts';

/** A block that was not drawn yet takes 25 lines of 20 pixels. */
const blockPx = blockLines * 20;
const blocks = layBlocks(1, 40 * blockLines, new Map());

describe('the place of the view in a log', () => {
  it('names the first line in view and the blocks around the view', () => {
    expect(viewAt(blocks, 10 * blockPx + 30, 600)).toEqual({
      anchor: { id: 10, offset: 30 },
      range: { from: 9, to: 13 },
    });
  });

  it('reaches to the first block and to the last one', () => {
    expect(viewAt(blocks, 0, 600).range.from).toBe(0);
    expect(viewAt(blocks, 40 * blockPx, 600).range.to).toBe(40);
  });

  it('keeps the first line in view where a block above turned out taller', () => {
    const { anchor } = viewAt(blocks, 10 * blockPx + 30, 600);
    const taller = layBlocks(1, 40 * blockLines, new Map([[2, { lines: blockLines, height: blockPx + 80 }]]));
    expect(topOf(anchor, taller)).toBe(10 * blockPx + 110);
  });

  it('keeps the first line in view where earlier lines are dropped', () => {
    const { anchor } = viewAt(blocks, 10 * blockPx + 30, 600);
    const shorter = layBlocks(1 + 4 * blockLines, 36 * blockLines, new Map());
    expect(topOf(anchor, shorter)).toBe(6 * blockPx + 30);
    const allGone = layBlocks(1 + 20 * blockLines, 20 * blockLines, new Map());
    expect(topOf(anchor, allGone)).toBe(30);
  });

  it('stays within the blocks that there are', () => {
    expect(rangeWithin({ from: 9, to: 13 }, { count: 40 })).toEqual({ from: 9, to: 13 });
    expect(rangeWithin({ from: 9, to: 13 }, { count: 5 })).toEqual({ from: 4, to: 5 });
    expect(rangeWithin({ from: 0, to: 0 }, { count: 5 })).toEqual({ from: 0, to: 1 });
    expect(rangeWithin({ from: 0, to: 0 }, { count: 0 })).toEqual({ from: 0, to: 0 });
  });
});

describe('the next move of the view', () => {
  it('is to the end while it follows, unless a person has just scrolled up', () => {
    expect(nextMove(true, null, 0)).toBe('to the end');
    expect(nextMove(true, null, 40)).toBe('to the end');
    expect(nextMove(true, null, -40)).toBe('nowhere');
  });

  it('is to the hit that is sought', () => {
    expect(nextMove(false, 12, 0)).toBe('to the line');
    expect(nextMove(false, 12, -300)).toBe('to the line');
  });

  it('keeps the first line in view, unless a person has just scrolled', () => {
    expect(nextMove(false, null, 0.5)).toBe('to the anchor');
    expect(nextMove(false, null, 30)).toBe('nowhere');
  });
});
