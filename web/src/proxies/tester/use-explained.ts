import type { ProxyDefinition } from '@homeport/rules';
import { useEffect, useState } from 'react';
import type { Explained } from './explain.ts';

/** A pause in the typing, after which the URL is tested. */
const pauseMs = 150;

/** What happens to a URL on these rules, saved or not. Null while there is no URL, or no answer yet. */
export function useExplained(definition: ProxyDefinition, url: string): Explained | null {
  const [explained, setExplained] = useState<Explained | null>(null);
  const rules = JSON.stringify(definition);
  const empty = url.trim() === '';
  useEffect(() => {
    if (empty) return;
    let over = false;
    const timer = setTimeout(async () => {
      const { explain } = await import('./explain.ts');
      const asked: ProxyDefinition = JSON.parse(rules);
      if (!over) setExplained(explain(asked, url));
    }, pauseMs);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [rules, url, empty]);
  return empty ? null : explained;
}
