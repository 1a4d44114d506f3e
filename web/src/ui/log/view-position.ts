import type { LogBlocks } from './log-blocks.ts';

/** Positions of blocks. `to` is the position after the last. */
export interface BlockRange {
  from: number;
  to: number;
}

/**
 * The place of the first line in view, in pixels within a block. A block keeps its id when earlier lines are
 * dropped.
 */
export interface Anchor {
  id: number;
  offset: number;
}

const beyondViewPx = 400;

/** The first line in view at `scrollTop`, and the blocks that the view needs. */
export function viewAt(
  blocks: LogBlocks,
  scrollTop: number,
  height: number,
): { anchor: Anchor; range: BlockRange } {
  const position = blocks.at(scrollTop);
  return {
    anchor: { id: blocks.block(position).id, offset: scrollTop - blocks.top(position) },
    range: {
      from: blocks.at(Math.max(0, scrollTop - beyondViewPx)),
      to: blocks.at(scrollTop + height + beyondViewPx) + 1,
    },
  };
}

/** The scroll position that keeps the same first line in view. */
export function topOf({ id, offset }: Anchor, blocks: LogBlocks): number {
  return blocks.top(Math.max(0, id - blocks.block(0).id)) + offset;
}

/** The part of a range that exists in the log. It holds at least one block. */
export function rangeWithin({ from, to }: BlockRange, { count }: Pick<LogBlocks, 'count'>): BlockRange {
  const end = Math.min(Math.max(to, 1), count);
  return { from: Math.min(from, Math.max(0, end - 1)), to: end };
}

/**
 * Where the view goes after lines were added, dropped or resized. `moved` is the distance from the last
 * position that the hook set. The scroll position changes before the scroll event fires, so a distance means
 * that the user is scrolling.
 */
export function nextMove(
  follow: boolean,
  seeking: number | null,
  moved: number,
): 'to the end' | 'to the line' | 'to the anchor' | 'nowhere' {
  if (follow) return moved > -1 ? 'to the end' : 'nowhere';
  if (seeking !== null) return 'to the line';
  return Math.abs(moved) <= 1 ? 'to the anchor' : 'nowhere';
}
