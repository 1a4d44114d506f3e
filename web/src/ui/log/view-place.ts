import type { LogBlocks } from './log-blocks.ts';

/** Positions of blocks; `to` is the one after the last. */
export interface BlockRange {
  from: number;
  to: number;
}

/** Where the first line in view stands: pixels into a block, which keeps its id when earlier lines are dropped. */
export interface Anchor {
  id: number;
  offset: number;
}

const beyondViewPx = 400;

/** What a scroller shows that stands at `scrollTop`, and which blocks it needs for that. */
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

/** Where the scroller has to stand for the same first line in view. */
export function topOf({ id, offset }: Anchor, blocks: LogBlocks): number {
  return blocks.top(Math.max(0, id - blocks.block(0).id)) + offset;
}

/** The part of a range that the log has, and one block at least. */
export function rangeWithin({ from, to }: BlockRange, { count }: Pick<LogBlocks, 'count'>): BlockRange {
  const end = Math.min(Math.max(to, 1), count);
  return { from: Math.min(from, Math.max(0, end - 1)), to: end };
}

/**
 * Where the view goes after lines came, went or changed their height. `moved` is how far it stands from where it was last
 * put: the scroll position changes before the scroll event, so a difference is a person’s scrolling and is left alone.
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
