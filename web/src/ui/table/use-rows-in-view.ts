import { type RefObject, useEffect, useState } from 'react';

/** Up to this count all rows are in the page, so that the browser's own search finds them. */
export const allRowsAtMost = 100;
/** Rows. The window moves in steps, so that a little scrolling draws nothing again. */
const step = 20;

export interface RowsInView {
  /** The first row in the page, from 0. `to` is the row after the last. */
  from: number;
  to: number;
  /** Pixels. The average height of a row, for the room of the other rows. */
  rowHeight: number;
}

/** The rows of a long table that are in or near the view. A short table has all its rows. */
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
      keepFocus(body.current, next);
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

/**
 * Gives the focus of a row that goes out of the page to the table's own scroller. When a focused element disappears while a key
 * scrolls the page, Chromium jumps to the top.
 */
function keepFocus(body: HTMLElement, { from, to }: { from: number; to: number }): void {
  const focused = document.activeElement?.closest('tr');
  if (!focused || !body.contains(focused)) return;
  // The head is the first row, and the count begins at 1.
  const row = Number(focused.getAttribute('aria-rowindex')) - 2;
  if (row < from || row >= to) body.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
}

/** `above`: pixels of the table above the view. One more screen of rows is kept on either side. */
export function rowsInView(above: number, screen: number, rowHeight: number, count: number) {
  const down = (px: number) => Math.floor(px / rowHeight / step) * step;
  const from = Math.min(Math.max(0, down(above - screen)), Math.max(0, count - step));
  return { from, to: Math.min(count, Math.max(from + step, down(above + 2 * screen) + step)) };
}
