import { useEffect, useState } from 'react';

export interface Section {
  /** The section's element id. */
  id: string;
  label: string;
  /** A chip: how many things wait there. */
  count?: number;
}

/** Anchors over a long page; the one in view is current. */
export function SectionNav({ label, sections }: { label: string; sections: readonly Section[] }) {
  const [current, setCurrent] = useState(sections[0]?.id);
  const ids = sections.map((section) => section.id).join(' ');

  useEffect(() => {
    const elements = ids.split(' ').flatMap((id) => document.getElementById(id) ?? []);
    const seen = new Set<string>();
    // The band under the sticky bars: the first section in it is the one being read.
    const observer = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          if (entry.isIntersecting) seen.add(entry.target.id);
          else seen.delete(entry.target.id);
        }
        const first = elements.find((element) => seen.has(element.id));
        if (first) setCurrent(first.id);
      },
      { rootMargin: '-112px 0px -55% 0px' },
    );
    for (const element of elements) observer.observe(element);
    return () => observer.disconnect();
  }, [ids]);

  return (
    <nav className="secnav" aria-label={label}>
      <ul>
        {sections.map((section) => (
          <li key={section.id}>
            <a href={`#${section.id}`} aria-current={section.id === current ? 'location' : undefined}>
              {section.label}
              {section.count ? <span className="cnt">{section.count}</span> : null}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
