import { type RefObject, useEffect, useState } from 'react';

/** The sides of a scroller behind which more of its content is. */
export type HiddenSides = 'none' | 'start' | 'end' | 'both';

type Extent = Pick<HTMLElement, 'scrollLeft' | 'clientWidth' | 'scrollWidth'>;

/** Pixels. Browsers round the width of the content and the place of the scroller differently. */
const rounding = 1;

export function hiddenSides({ scrollLeft, clientWidth, scrollWidth }: Extent): HiddenSides {
  const start = scrollLeft > rounding;
  const end = scrollWidth - clientWidth - scrollLeft > rounding;
  if (start) return end ? 'both' : 'start';
  return end ? 'end' : 'none';
}

/** Follows a scroller and the widths of its children. `children` is a text that changes when other children come. */
export function useHiddenSides(scroller: RefObject<HTMLElement | null>, children: string): HiddenSides {
  const [hidden, setHidden] = useState<HiddenSides>('none');
  // biome-ignore lint/correctness/useExhaustiveDependencies: other children have to be observed
  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const look = () => setHidden(hiddenSides(box));
    const sizes = new ResizeObserver(look);
    for (const element of [box, ...box.children]) sizes.observe(element);
    box.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      box.removeEventListener('scroll', look);
    };
  }, [scroller, children]);
  return hidden;
}

/** Pixels. The place of a scroller that has this element in its middle, as far as the content reaches. */
export function placeOfMiddle(
  element: Pick<HTMLElement, 'offsetLeft' | 'offsetWidth'>,
  { clientWidth, scrollWidth }: Omit<Extent, 'scrollLeft'>,
): number {
  const wanted = element.offsetLeft - (clientWidth - element.offsetWidth) / 2;
  return Math.round(Math.max(0, Math.min(wanted, scrollWidth - clientWidth)));
}
