import {
  memo,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react';
import { LogRow } from './LogRow.tsx';
import { type DrawnBlock, type LogBlocks, layBlocks } from './log-blocks.ts';
import type { LogLine } from './log-lines.ts';

export interface LogRowsProps {
  scroller: RefObject<HTMLDivElement | null>;
  lines: readonly LogLine[];
  words: string;
  withTimes: boolean;
  wrap: boolean;
  /** Keeps the end in view. */
  follow: boolean;
  /** Somebody scrolled, and to the end or not. */
  onScrolled: (atEnd: boolean) => void;
  /** The number of the hit to bring into view, when it changes. */
  target: number | null;
}

/** Up to here every line is in the page, where the browser's own search finds it. */
const allUpTo = 1_000;
const beyondViewPx = 400;
const atEndWithinPx = 24;

interface Range {
  from: number;
  to: number;
}

/**
 * The lines of a log, of a long one only the blocks in view. The first line in view stays where it is while lines around it
 * come, go or turn out to be taller than was guessed.
 */
export function LogRows(props: LogRowsProps) {
  const { scroller, lines, words, withTimes, wrap, follow, onScrolled, target } = props;
  const box = useRef<HTMLDivElement>(null);
  const [drawn] = useState(() => new Map<number, DrawnBlock>());
  const [drawnAgain, drawAgain] = useReducer((count: number) => count + 1, 0);
  const firstNumber = lines[0]?.number ?? 1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was measured changes in its place
  const blocks = useMemo(
    () => layBlocks(firstNumber, lines.length, drawn),
    [firstNumber, lines.length, drawn, drawnAgain],
  );
  /** Where this component last put the view; any other place is a person's. */
  const ours = useRef(0);
  const anchor = useRef({ id: 0, offset: 0 });
  const [wanted, setWanted] = useState<Range>({ from: 0, to: 0 });
  const range = inView(lines.length <= allUpTo ? { from: 0, to: blocks.count } : wanted, blocks);
  const shown = useRef(target);
  const seeking = useRef<number | null>(null);

  const place = useCallback(
    (top: number) => {
      const element = scroller.current;
      if (!element) return;
      if (Math.abs(element.scrollTop - top) > 0.5) element.scrollTop = top;
      ours.current = element.scrollTop;
    },
    [scroller],
  );

  const look = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    const { scrollTop, clientHeight } = element;
    const position = blocks.at(scrollTop);
    anchor.current = { id: blocks.block(position).id, offset: scrollTop - blocks.top(position) };
    const from = blocks.at(Math.max(0, scrollTop - beyondViewPx));
    const to = blocks.at(scrollTop + clientHeight + beyondViewPx) + 1;
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

  // A line's height depends on how wide the log is and on what stands in it.
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

  useLayoutEffect(() => {
    if (measure(box.current, blocks, range, drawn)) {
      drawAgain();
      return;
    }
    const element = scroller.current;
    if (!element) return;
    if (target !== null && target !== shown.current) seeking.current = target;
    shown.current = target;
    // The scroll position changes before the scroll event fires.
    const moved = element.scrollTop - ours.current;
    if (follow) {
      if (moved > -1) place(element.scrollHeight);
    } else if (seeking.current !== null) {
      const row = box.current?.querySelector(`[data-line="${seeking.current}"]`);
      const at = blocks.ofLine(seeking.current - firstNumber);
      if (row) {
        seeking.current = null;
        const above = row.getBoundingClientRect().top - element.getBoundingClientRect().top;
        place(element.scrollTop + above - element.clientHeight / 2);
      } else if (at < range.from || at >= range.to) place(blocks.top(at));
    } else if (Math.abs(moved) <= 1) {
      const position = Math.max(0, anchor.current.id - blocks.block(0).id);
      place(blocks.top(position) + anchor.current.offset);
    }
    look();
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

/** The same lines need not be drawn again because others came or went. */
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

const inView = ({ from, to }: Range, { count }: LogBlocks): Range => {
  const end = Math.min(Math.max(to, 1), count);
  return { from: Math.min(from, Math.max(0, end - 1)), to: end };
};

/** Notes what the blocks in the page take; true where that is not what was guessed. */
function measure(
  box: HTMLDivElement | null,
  blocks: LogBlocks,
  { from, to }: Range,
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
