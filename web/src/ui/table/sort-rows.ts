export type SortDirection = 'ascending' | 'descending';

/** What a row is sorted by; null sorts last in either direction, because "no data" is neither least nor most. */
export type SortValue = string | number | null;

/** Made when text is first sorted: to make one takes as long as to draw a small table. */
let byText: Intl.Collator | undefined;

export function sortRows<R>(rows: readonly R[], value: (row: R) => SortValue, direction: SortDirection): R[] {
  byText ??= new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
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
