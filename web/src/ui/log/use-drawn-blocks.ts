import {
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useState,
} from 'react';
import { type DrawnBlock, type LogBlocks, layBlocks } from './log-blocks.ts';
import type { LogLine } from './log-lines.ts';
import type { BlockRange } from './view-position.ts';

export interface DrawnBlocks {
  blocks: LogBlocks;
  /**
   * Measures the drawn blocks. Returns false if a height differs from the estimate, and then everything is
   * drawn again.
   */
  fits: (box: HTMLDivElement | null, range: BlockRange) => boolean;
}

/** The blocks of a log, with the heights measured in the page. */
export function useDrawnBlocks(
  scroller: RefObject<HTMLDivElement | null>,
  lines: readonly LogLine[],
  { wrap, withTimes }: { wrap: boolean; withTimes: boolean },
): DrawnBlocks {
  const [drawn] = useState(() => new Map<number, DrawnBlock>());
  const [drawnAgain, drawAgain] = useReducer((count: number) => count + 1, 0);
  const firstNumber = lines[0]?.number ?? 1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the measured heights change in place
  const blocks = useMemo(
    () => layBlocks(firstNumber, lines.length, drawn),
    [firstNumber, lines.length, drawn, drawnAgain],
  );

  // A line's height depends on the log's width and on the line's text.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these changes the heights
  useLayoutEffect(() => {
    drawn.clear();
    drawAgain();
  }, [drawn, wrap, withTimes]);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let width = element.clientWidth;
    const watcher = new ResizeObserver(() => {
      if (element.clientWidth !== width) drawn.clear();
      width = element.clientWidth;
      drawAgain();
    });
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [scroller, drawn]);

  const fits = useCallback(
    (box: HTMLDivElement | null, range: BlockRange) => {
      const changed = measure(box, blocks, range, drawn);
      if (changed) drawAgain();
      return !changed;
    },
    [blocks, drawn],
  );
  return { blocks, fits };
}

/** True when a block's height differs from the estimate. */
function measure(
  box: HTMLDivElement | null,
  blocks: LogBlocks,
  { from, to }: BlockRange,
  drawn: Map<number, DrawnBlock>,
): boolean {
  let changed = false;
  for (let position = from; position < to; position += 1) {
    const block = blocks.block(position);
    const height = box?.children[position - from + 1]?.getBoundingClientRect().height ?? 0;
    if (Math.abs(height - (blocks.top(position + 1) - blocks.top(position))) > 0.5) changed = true;
    drawn.set(block.id, { lines: block.to - block.from, height });
  }
  return changed;
}
