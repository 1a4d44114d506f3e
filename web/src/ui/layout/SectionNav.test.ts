import { describe, expect, it } from 'vitest';
import { sectionRead } from './SectionNav.tsx';

const places = (...tops: number[]) => tops.map((top, index) => ({ id: 'abcd'.charAt(index), top }));

describe('the section that is being read', () => {
  it('is the first one at the top of the page', () => {
    expect(sectionRead(places(200, 600, 900), false)).toBe('a');
  });

  it('is the last one that begins above the reading line', () => {
    expect(sectionRead(places(-700, 100, 500), false)).toBe('b');
  });

  it('is the first of two that stand side by side', () => {
    expect(sectionRead(places(-700, 100, 100, 700), false)).toBe('b');
  });

  it('is the last one at the end of the page, however low it begins', () => {
    expect(sectionRead(places(-900, -100, 400), true)).toBe('c');
  });
});
