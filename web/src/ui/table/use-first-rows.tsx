import { type ReactNode, useState } from 'react';
import { Button } from '../button/Button.tsx';
import { formatCount } from '../text/format.ts';

/** The first rows of a list that stands among other sections, and the button for all of them. Without more rows: no button. */
export function useFirstRows<Row>(
  rows: readonly Row[],
  first: number,
): { shown: readonly Row[]; more: ReactNode } {
  const [all, setAll] = useState(false);
  if (rows.length <= first) return { shown: rows, more: null };
  return {
    shown: all ? rows : rows.slice(0, first),
    more: (
      <Button size="sm" variant="ghost" aria-expanded={all} onClick={() => setAll(!all)}>
        {all ? `Show the first ${first}` : `Show all ${formatCount(rows.length)}`}
      </Button>
    ),
  };
}
