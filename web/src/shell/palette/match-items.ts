import uFuzzy from '@leeoniya/ufuzzy';

export type PaletteGroup =
  | 'Apps'
  | 'Servers'
  | 'Databases'
  | 'Proxies'
  | 'Pages'
  | 'Commands'
  | 'Recent messages';

export interface PaletteItem {
  id: string;
  group: PaletteGroup;
  label: string;
  /**
   * A function, called for shown items only: formatting the dates of 500 apps takes longer than the search.
   */
  note?: () => string;
  /** Ties are sorted newest first. */
  at?: number;
}

export interface Match<I extends PaletteItem> {
  item: I;
  /** Start and end of each hit in the label, as pairs. */
  ranges: readonly number[];
}

const perGroup = 6;
const recentApps = 5;
const order: readonly PaletteGroup[] = [
  'Apps',
  'Servers',
  'Databases',
  'Proxies',
  'Pages',
  'Commands',
  'Recent messages',
];
const fuzzy = new uFuzzy({ intraMode: 1 });

/**
 * The palette's matches for a query, in groups. An empty query gives the five newest apps and the commands
 * that create something.
 */
export function matchItems<I extends PaletteItem>(
  items: readonly I[],
  query: string,
): { group: PaletteGroup; matches: Match<I>[] }[] {
  const words = query.trim();
  const newest = items.toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0));
  const found: Match<I>[] = words === '' ? opening(newest) : search(newest, words);
  return order.flatMap((group) => {
    const matches = found.filter(({ item }) => item.group === group).slice(0, perGroup);
    return matches.length === 0 ? [] : [{ group, matches }];
  });
}

function opening<I extends PaletteItem>(items: readonly I[]): Match<I>[] {
  const apps = items.filter((item) => item.group === 'Apps').slice(0, recentApps);
  const rest = items.filter((item) => item.group === 'Commands' && item.label.startsWith('Create'));
  const messages = items.filter((item) => item.group === 'Recent messages');
  return [...apps, ...rest, ...messages].map((item) => ({ item, ranges: [] }));
}

function search<I extends PaletteItem>(items: readonly I[], words: string): Match<I>[] {
  const labels = items.map((item) => item.label);
  const [indexes, info, sorted] = fuzzy.search(labels, words, 1);
  if (!indexes || indexes.length === 0) return [];
  const ordered: { index: number; ranges: readonly number[] }[] =
    info && sorted
      ? sorted.map((place) => ({ index: info.idx[place] ?? 0, ranges: info.ranges[place] ?? [] }))
      : indexes.map((index) => ({ index, ranges: [] }));
  return ordered.flatMap(({ index, ranges }) => {
    const item = items[index];
    return item ? [{ item, ranges }] : [];
  });
}
