import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * For a box that goes when its button has done its work. The focus would go with the button, and the keyboard start again at the
 * top of the document: it moves to the box's dialog, or to the heading of the page.
 */
export function useFocusAfter<E extends HTMLElement>(): RefObject<E | null> {
  const box = useRef<E>(null);
  useLayoutEffect(() => {
    const { current } = box;
    return () => {
      if (!current?.contains(document.activeElement)) return;
      const dialog = current.closest<HTMLElement>('[role="dialog"], [role="alertdialog"]');
      (dialog ?? document.querySelector('h1'))?.focus({ preventScroll: true });
    };
  }, []);
  return box;
}
