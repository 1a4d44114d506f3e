export type SortDirection = 'ascending' | 'descending';

/** What a row is sorted by; null sorts last in either direction, because "no data" is neither least nor most. */
export type SortValue = string | number | null;

const byText = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

export function sortRows<R>(rows: readonly R[], value: (row: R) => SortValue, direction: SortDirection): R[] {
  const sign = direction === 'ascending' ? 1 : -1;
  return rows.toSorted((left, right) => {
    const a = value(left);
    const b = value(right);
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
    return sign * byText.compare(String(a), String(b));
  });
}
