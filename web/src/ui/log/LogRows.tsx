import { memo, type RefObject, useLayoutEffect, useRef } from 'react';
import { LogRow } from './LogRow.tsx';
import type { LogLine } from './log-lines.ts';
import { useDrawnBlocks } from './use-drawn-blocks.ts';
import { useViewPosition } from './use-view-position.ts';
import { rangeWithin } from './view-position.ts';

export interface LogRowsProps {
  scroller: RefObject<HTMLDivElement | null>;
  lines: readonly LogLine[];
  words: string;
  withTimes: boolean;
  wrap: boolean;
  /** Keeps the end in view. */
  follow: boolean;
  /** Called when the user scrolls, with whether the end is in view. */
  onScrolled: (atEnd: boolean) => void;
  /** The line number of a hit. A change brings this line into view. */
  target: number | null;
}

/** Up to this length all lines are in the page, so that the browser's own search finds them. */
const allUpTo = 1_000;

/**
 * The lines of a log. Of a long log only the blocks in view are drawn. The first line in view stays in place
 * while lines around it arrive, leave or get another height than estimated.
 */
export function LogRows(props: LogRowsProps) {
  const { scroller, lines, words, withTimes, wrap, follow, onScrolled, target } = props;
  const box = useRef<HTMLDivElement>(null);
  const { blocks, fits } = useDrawnBlocks(scroller, lines, { wrap, withTimes });
  const firstNumber = lines[0]?.number ?? 1;
  const { wanted, settle } = useViewPosition({ scroller, blocks, firstNumber, follow, target, onScrolled });
  const range = rangeWithin(lines.length <= allUpTo ? { from: 0, to: blocks.count } : wanted, blocks);

  useLayoutEffect(() => {
    if (fits(box.current, range)) settle(box.current, range);
  });

  const parts = [];
  for (let position = range.from; position < range.to; position += 1) {
    const { id, from, to } = blocks.block(position);
    parts.push(<Block key={id} {...{ lines, from, to, words, withTimes }} current={target} />);
  }
  return (
    <div ref={box}>
      <div style={{ height: blocks.top(range.from) }} />
      {parts}
      <div style={{ height: blocks.top(blocks.count) - blocks.top(range.to) }} />
    </div>
  );
}

interface BlockProps {
  lines: readonly LogLine[];
  from: number;
  to: number;
  words: string;
  withTimes: boolean;
  current: number | null;
}

const Block = memo(function Block({ lines, from, to, words, withTimes, current }: BlockProps) {
  return (
    <div>
      {lines.slice(from, to).map((line) => (
        <LogRow
          key={line.number}
          line={line}
          words={words}
          current={line.number === current}
          withTimes={withTimes}
        />
      ))}
    </div>
  );
}, sameBlock);

/** A block with unchanged lines is not drawn again when other blocks change. */
function sameBlock(a: BlockProps, b: BlockProps): boolean {
  return (
    a.to - a.from === b.to - b.from &&
    a.lines[a.from] === b.lines[b.from] &&
    a.lines[a.to - 1] === b.lines[b.to - 1] &&
    a.words === b.words &&
    a.withTimes === b.withTimes &&
    (a.current === b.current || (!holds(a, a.current) && !holds(a, b.current)))
  );
}

function holds({ lines, from, to }: BlockProps, number: number | null): boolean {
  const [first, last] = [lines[from]?.number ?? 0, lines[to - 1]?.number ?? 0];
  return number !== null && number >= first && number <= last;
}
