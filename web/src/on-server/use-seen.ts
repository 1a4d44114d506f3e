import { useEffect, useState } from 'react';

/**
 * Whether the section with this id has been on the screen since the page was opened. A section that nobody has
 * looked at costs the server nothing. Without an id there is nothing to wait for.
 */
export function useSeen(id: string | null): boolean {
  const [seen, setSeen] = useState(id === null);
  useEffect(() => {
    const section = id === null ? null : document.getElementById(id);
    if (seen || !section) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(section);
    return () => observer.disconnect();
  }, [id, seen]);
  return seen;
}
