import { useEffect, useRef, useState } from 'react';
import styles from './SectionNav.module.css';

export interface Section {
  /** The section's element id. */
  id: string;
  label: string;
  /** A chip: how many things wait there. */
  count?: number;
}

/** Where reading begins: under the sticky bars. */
const readingLine = 128;

/** Anchors over a long page; the one being read is current, and after a click the one that was asked for. */
export function SectionNav({ label, sections }: { label: string; sections: readonly Section[] }) {
  const [current, setCurrent] = useState(sections[0]?.id);
  const ids = sections.map((section) => section.id).join(' ');
  // A click scrolls by itself: that scrolling must not choose another section.
  const asked = useRef(false);

  useEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      if (asked.current) return;
      const places = ids.split(' ').flatMap((id) => {
        const top = document.getElementById(id)?.getBoundingClientRect().top;
        return top === undefined ? [] : [{ id, top }];
      });
      const { innerHeight, scrollY } = window;
      const atEnd = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
      const id = sectionRead(places, atEnd);
      if (id) setCurrent(id);
    };
    const soon = () => {
      frame ||= requestAnimationFrame(look);
    };
    const release = () => {
      asked.current = false;
    };
    window.addEventListener('scroll', soon, { passive: true });
    for (const kind of ownScrolling) window.addEventListener(kind, release, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', soon);
      for (const kind of ownScrolling) window.removeEventListener(kind, release);
    };
  }, [ids]);

  return (
    <nav className={styles.nav} aria-label={label}>
      <ul>
        {sections.map((section) => (
          <li key={section.id}>
            <a
              href={`#${section.id}`}
              aria-current={section.id === current ? 'location' : undefined}
              onClick={() => {
                asked.current = true;
                setCurrent(section.id);
              }}
            >
              {section.label}
              {section.count ? <span className={styles.count}>{section.count}</span> : null}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** What a person scrolls with; after one of these the place decides again. */
const ownScrolling = ['wheel', 'touchmove', 'keydown'] as const;

/**
 * The last section that begins above the reading line; at the page's end its last one. Of sections side by side the
 * first in the list is read.
 */
export function sectionRead(
  places: readonly { id: string; top: number }[],
  atEnd: boolean,
): string | undefined {
  const begun = atEnd ? places : places.filter(({ top }) => top <= readingLine);
  const lowest = Math.max(...begun.map(({ top }) => top));
  return (begun.find(({ top }) => Math.abs(top - lowest) < 1) ?? places[0])?.id;
}
