import { describe, expect, it } from 'vitest';
import { sectionOf, sectionRead } from './SectionNav.tsx';

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

describe('the section of an anchor', () => {
  const sections = [
    { id: 'logs', label: 'Logs' },
    { id: 'environment', label: 'Environment Variables', also: ['databases'] },
  ];

  it('is the one with the same id', () => {
    expect(sectionOf(sections, 'logs')).toBe('logs');
  });

  it('is the one that an anchor without an entry of its own belongs to', () => {
    expect(sectionOf(sections, 'databases')).toBe('environment');
  });

  it('is none for an anchor of another page', () => {
    expect(sectionOf(sections, 'firewall')).toBeUndefined();
  });
});
