import { keysOf } from './lines/subject.ts';
import { type RangeSearch, rangeOf, type ShownRange, searchOf } from './range/range.ts';

/** What a chart's address says beside its server or app and its measure. */
export interface ChartSearch extends RangeSearch {
  /** The keys of what it is compared with. */
  with?: string | undefined;
}

/** The range and the keys that an address names, and the addresses to which the chart's controls lead. */
export function readAddress(search: ChartSearch, show: (search: ChartSearch, measure?: string) => void) {
  const range = rangeOf(search);
  return {
    range,
    /** The range for the calls that read series and marks. */
    query: { spanSeconds: range.spanSeconds, ...(range.to === null ? {} : { to: String(range.to) }) },
    keys: keysOf(search.with),
    ways: {
      onMeasure: (measure: string) => show(search, measure),
      onRange: (next: ShownRange) => show({ ...searchOf(next), with: search.with }),
      onCompare: (keys: readonly string[]) => show({ ...searchOf(range), with: keys.join(',') || undefined }),
    },
  };
}
