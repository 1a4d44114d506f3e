import { describe, expect, it } from 'vitest';
import { hiddenSides, placeOfMiddle } from './use-hidden-sides.ts';

describe('the sides of a scroller behind which more is', () => {
  const at = (scrollLeft: number, scrollWidth = 900) =>
    hiddenSides({ scrollLeft, clientWidth: 300, scrollWidth });

  it('are none when all fits', () => {
    expect(at(0, 300)).toBe('none');
    expect(at(0, 301)).toBe('none');
  });

  it('follow the place of the scroller', () => {
    expect(at(0)).toBe('end');
    expect(at(200)).toBe('both');
    expect(at(600)).toBe('start');
    expect(at(599.4)).toBe('start');
  });
});

describe('the place that has an element in the middle', () => {
  const middleOf = (offsetLeft: number) =>
    placeOfMiddle({ offsetLeft, offsetWidth: 100 }, { clientWidth: 300, scrollWidth: 900 });

  it('stays within the content', () => {
    expect(middleOf(0)).toBe(0);
    expect(middleOf(400)).toBe(300);
    expect(middleOf(850)).toBe(600);
  });
});
