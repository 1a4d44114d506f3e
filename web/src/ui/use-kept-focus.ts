import { type RefObject, useLayoutEffect, useRef } from 'react';

/** A row that moves takes the focus along: the browser drops the focus of an element that is put elsewhere. */
export function useKeptFocus(row: RefObject<HTMLLIElement | null>, place: number): void {
  const last = useRef<{ place: number; focused: HTMLElement | null }>({ place, focused: null });
  useLayoutEffect(() => {
    const box = row.current;
    const note = () => {
      const { activeElement } = document;
      last.current.focused =
        activeElement instanceof HTMLElement && box?.contains(activeElement) ? activeElement : null;
    };
    const forget = (event: FocusEvent) => {
      // Without another target, the element was moved or the window lost the focus.
      if (event.relatedTarget !== null) last.current.focused = null;
    };
    box?.addEventListener('focusin', note);
    box?.addEventListener('focusout', forget);
    return () => {
      box?.removeEventListener('focusin', note);
      box?.removeEventListener('focusout', forget);
    };
  }, [row]);
  useLayoutEffect(() => {
    const { focused } = last.current;
    if (last.current.place === place) return;
    last.current.place = place;
    if (focused && document.activeElement === document.body) focused.focus({ preventScroll: true });
  }, [place]);
}
