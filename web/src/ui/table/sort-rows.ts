import { pageLocale } from '../text/locale.ts';

export type SortDirection = 'ascending' | 'descending';

/**
 * The value by which a row is sorted. null sorts last in both directions, because "no data" is neither least
 * nor most.
 */
export type SortValue = string | number | null;

/** Created when text is first sorted, because creating it takes as long as drawing a small table. */
let byText: Intl.Collator | undefined;

export function sortRows<R>(rows: readonly R[], value: (row: R) => SortValue, direction: SortDirection): R[] {
  byText ??= new Intl.Collator(pageLocale, { numeric: true, sensitivity: 'base' });
  const { compare } = byText;
  const sign = direction === 'ascending' ? 1 : -1;
  return rows.toSorted((left, right) => {
    const a = value(left);
    const b = value(right);
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
    return sign * compare(String(a), String(b));
  });
}
