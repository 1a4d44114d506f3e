import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect } from 'react';
import { LogRow } from './LogRow.tsx';
import type { LogLine } from './log-lines.ts';

export interface VirtualLinesProps {
  scroller: RefObject<HTMLDivElement | null>;
  lines: readonly LogLine[];
  words: string;
  hits: ReadonlySet<number>;
  withTimes: boolean;
  /** The index to bring into view, when it changes. */
  target: number | null;
}

const lineHeight = 20;

/** Only the lines in view are in the page; for logs over 1,000 lines. */
export function VirtualLines({ scroller, lines, words, hits, withTimes, target }: VirtualLinesProps) {
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    getItemKey: (index) => lines[index]?.number ?? index,
    overscan: 30,
  });
  useEffect(() => {
    if (target !== null) virtual.scrollToIndex(target, { align: 'auto' });
  }, [target, virtual]);
  return (
    <div className="virtual" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map((item) => {
        const line = lines[item.index];
        if (!line) return null;
        return (
          <div
            key={item.key}
            data-index={item.index}
            ref={virtual.measureElement}
            style={{ transform: `translateY(${item.start}px)` }}
          >
            <LogRow line={line} words={words} hit={hits.has(item.index)} withTimes={withTimes} />
          </div>
        );
      })}
    </div>
  );
}
