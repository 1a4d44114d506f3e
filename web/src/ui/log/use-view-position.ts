import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { LogBlocks } from './log-blocks.ts';
import { type Anchor, type BlockRange, nextMove, topOf, viewAt } from './view-position.ts';

const atEndWithinPx = 24;

export interface ViewPlaceProps {
  scroller: RefObject<HTMLDivElement | null>;
  blocks: LogBlocks;
  firstNumber: number;
  follow: boolean;
  target: number | null;
  onScrolled: (atEnd: boolean) => void;
}

export interface ViewPlace {
  /** The blocks that the view needs. */
  wanted: BlockRange;
  /** Scrolls the view to its place, once the blocks of `range` stand in the box. */
  settle: (box: HTMLDivElement | null, range: BlockRange) => void;
}

/** The place of a log's scroller: at the end, at a hit, or where the user left it. */
export function useViewPosition(props: ViewPlaceProps): ViewPlace {
  const { scroller, blocks, firstNumber, follow, target, onScrolled } = props;
  /** The last place to which this hook scrolled. Any other place is the user's scrolling. */
  const ours = useRef(0);
  const anchor = useRef<Anchor>({ id: 0, offset: 0 });
  const [wanted, setWanted] = useState<BlockRange>({ from: 0, to: 0 });
  const shown = useRef(target);
  const seeking = useRef<number | null>(null);

  const look = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    const view = viewAt(blocks, element.scrollTop, element.clientHeight);
    const { from, to } = view.range;
    anchor.current = view.anchor;
    setWanted((before) => (before.from === from && before.to === to ? before : { from, to }));
  }, [scroller, blocks]);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onScroll = () => {
      const moved = Math.abs(element.scrollTop - ours.current) > 1;
      ours.current = element.scrollTop;
      if (moved) onScrolled(element.scrollHeight - element.scrollTop - element.clientHeight < atEndWithinPx);
      look();
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, [scroller, onScrolled, look]);

  /**
   * The scroll position that shows a hit: its line's place, or its block's place if the line is not drawn
   * yet.
   */
  const topOfLine = (element: HTMLElement, box: HTMLDivElement | null, line: number, range: BlockRange) => {
    const row = box?.querySelector(`[data-line="${line}"]`);
    if (row) {
      seeking.current = null;
      const above = row.getBoundingClientRect().top - element.getBoundingClientRect().top;
      return element.scrollTop + above - element.clientHeight / 2;
    }
    const at = blocks.ofLine(line - firstNumber);
    return at < range.from || at >= range.to ? blocks.top(at) : null;
  };

  const settle = (box: HTMLDivElement | null, range: BlockRange) => {
    const element = scroller.current;
    if (!element) return;
    if (target !== null && target !== shown.current) seeking.current = target;
    shown.current = target;
    const move = nextMove(follow, seeking.current, element.scrollTop - ours.current);
    let top: number | null = null;
    if (move === 'to the end') top = element.scrollHeight;
    if (move === 'to the anchor') top = topOf(anchor.current, blocks);
    if (move === 'to the line' && seeking.current !== null)
      top = topOfLine(element, box, seeking.current, range);
    if (top !== null) {
      if (Math.abs(element.scrollTop - top) > 0.5) element.scrollTop = top;
      ours.current = element.scrollTop;
    }
    look();
  };
  return { wanted, settle };
}
