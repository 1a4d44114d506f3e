import { useEffect, useRef, useState } from 'react';
import styles from './SectionNav.module.css';
import { placeOfMiddle, useHiddenSides } from './use-hidden-sides.ts';

export interface Section {
  /** The id of the section's element. */
  id: string;
  label: string;
  /** The ids of the elements that belong to the section and have no anchor of their own in the list. */
  also?: readonly string[];
  /** Leaves a gap before the section: a group of sections begins or ends. */
  apart?: boolean;
  /** Shown in a chip: the number of things that wait in the section. */
  count?: number;
}

/** Pixels from the top. Reading begins here, under the sticky bars. */
const readingLine = 128;

/**
 * Anchors for a long page. The section being read is current. After a click, the clicked section is current. Where the anchors
 * do not fit, the list scrolls, fades at a side with more of them, and keeps the current one in its middle.
 */
export function SectionNav({ label, sections }: { label: string; sections: readonly Section[] }) {
  const [current, setCurrent] = useState(sections[0]?.id);
  const ids = sections.map((section) => [section.id, ...(section.also ?? [])].join(' ')).join(' ');
  const shown = sectionOf(sections, current);
  // A click scrolls the page too. That scrolling must not choose another section.
  const asked = useRef(false);
  const list = useRef<HTMLUListElement>(null);
  const hidden = useHiddenSides(list, ids);

  useEffect(() => {
    const box = list.current;
    const link = box?.querySelector<HTMLElement>(`[href="#${shown}"]`);
    if (box && link) box.scrollLeft = placeOfMiddle(link, box);
  }, [shown]);

  useEffect(() => {
    let end: (() => void) | undefined;
    const arrive = () => {
      end?.();
      const id = decodeURIComponent(window.location.hash.slice(1));
      if (!ids.split(' ').includes(id)) return;
      asked.current = true;
      setCurrent(id);
      end = keepInView(id);
    };
    arrive();
    window.addEventListener('hashchange', arrive);
    return () => {
      end?.();
      window.removeEventListener('hashchange', arrive);
    };
  }, [ids]);

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
      <ul ref={list} data-hidden={hidden}>
        {sections.map((section) => (
          <li key={section.id} data-apart={section.apart || undefined}>
            <a
              href={`#${section.id}`}
              aria-current={section.id === shown ? 'location' : undefined}
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

/** The section to which an anchor of the page belongs. */
export const sectionOf = (sections: readonly Section[], anchor: string | undefined): string | undefined =>
  sections.find(({ id, also }) => id === anchor || also?.includes(anchor ?? ''))?.id;

/** So long a page that was opened at a section may still grow above it. */
const arrivingMs = 5_000;

/**
 * Shows the section that the address names. The browser looked for it before the page had its data, and what loads above it moves it
 * away again: it is brought back until the user scrolls. Returns the end of that.
 */
function keepInView(id: string): () => void {
  const show = () => document.getElementById(id)?.scrollIntoView();
  const growth = new ResizeObserver(show);
  growth.observe(document.body);
  const end = () => {
    growth.disconnect();
    clearTimeout(late);
    for (const kind of ownScrolling) window.removeEventListener(kind, end);
  };
  const late = setTimeout(end, arrivingMs);
  for (const kind of ownScrolling) window.addEventListener(kind, end, { passive: true });
  return end;
}

/** Events of the user's own scrolling. After one of them, the scroll position chooses the section again. */
const ownScrolling = ['wheel', 'touchmove', 'keydown'] as const;

/**
 * The last section that begins above the reading line. At the page's end, the last section of the page. Of
 * sections side by side, the first in the list.
 */
export function sectionRead(
  places: readonly { id: string; top: number }[],
  atEnd: boolean,
): string | undefined {
  const begun = atEnd ? places : places.filter(({ top }) => top <= readingLine);
  const lowest = Math.max(...begun.map(({ top }) => top));
  return (begun.find(({ top }) => Math.abs(top - lowest) < 1) ?? places[0])?.id;
}
