import { type RefObject, useEffect, useState } from 'react';

/** Up to here a table holds all its rows: every one of them can be found with the browser's own search. */
export const allRowsAtMost = 100;
/** The window moves in steps, so that a little scrolling draws nothing anew. */
const step = 20;

export interface RowsInView {
  /** The first row that is in the page, from 0, and the one after the last. */
  from: number;
  to: number;
  /** Pixels that a row takes on average, for the room of the others. */
  rowHeight: number;
}

/** The rows of a long table that are near what can be seen; all of a table that is not long. */
export function useRowsInView(body: RefObject<HTMLElement | null>, count: number): RowsInView {
  const [view, setView] = useState({ from: 0, to: 3 * step, rowHeight: 48 });
  const long = count > allRowsAtMost;

  useEffect(() => {
    if (!long) return;
    let frame = 0;
    const look = () => {
      frame = 0;
      const rows = body.current?.querySelectorAll<HTMLElement>(':scope > tr:not([aria-hidden])');
      const first = rows?.[0];
      const last = rows?.[rows.length - 1];
      if (!body.current || !rows || !first || !last) return;
      const height = (last.getBoundingClientRect().bottom - first.getBoundingClientRect().top) / rows.length;
      const rowHeight = Math.max(1, Math.round(height));
      const next = rowsInView(
        -body.current.getBoundingClientRect().top,
        window.innerHeight,
        rowHeight,
        count,
      );
      setView((now) => (now.from === next.from && now.to === next.to ? now : { ...next, rowHeight }));
    };
    const soon = () => {
      frame ||= requestAnimationFrame(look);
    };
    soon();
    window.addEventListener('scroll', soon, { passive: true });
    window.addEventListener('resize', soon);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', soon);
      window.removeEventListener('resize', soon);
    };
  }, [long, count, body]);

  if (!long) return { from: 0, to: count, rowHeight: view.rowHeight };
  const to = Math.min(count, view.to);
  return { from: Math.min(view.from, Math.max(0, to - step)), to, rowHeight: view.rowHeight };
}

/** `above`: pixels of the table that are scrolled out at the top; a screen more is kept on either side. */
export function rowsInView(above: number, screen: number, rowHeight: number, count: number) {
  const down = (px: number) => Math.floor(px / rowHeight / step) * step;
  const from = Math.min(Math.max(0, down(above - screen)), Math.max(0, count - step));
  return { from, to: Math.min(count, Math.max(from + step, down(above + 2 * screen) + step)) };
}
