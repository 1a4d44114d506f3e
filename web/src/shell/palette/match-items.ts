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
  /** Other words by which the item is found: the name on its server, a domain, an address. */
  also?: readonly string[];
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
  /** The other word that was found. Null when the label fits. */
  by: string | null;
}

export interface MatchGroup<I extends PaletteItem> {
  group: PaletteGroup;
  matches: Match<I>[];
  /** Matches of the group that are not shown. */
  more: number;
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
export function matchItems<I extends PaletteItem>(items: readonly I[], query: string): MatchGroup<I>[] {
  const words = query.trim();
  const newest = items.toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0));
  const found: Match<I>[] = words === '' ? opening(newest) : search(newest, words);
  return order.flatMap((group) => {
    const all = found.filter(({ item }) => item.group === group);
    const matches = all.slice(0, perGroup);
    return matches.length === 0 ? [] : [{ group, matches, more: all.length - matches.length }];
  });
}

function opening<I extends PaletteItem>(items: readonly I[]): Match<I>[] {
  const apps = items.filter((item) => item.group === 'Apps').slice(0, recentApps);
  const rest = items.filter((item) => item.group === 'Commands' && item.label.startsWith('Create'));
  const messages = items.filter((item) => item.group === 'Recent messages');
  return [...apps, ...rest, ...messages].map((item) => ({ item, ranges: [], by: null }));
}

/** Matches of the labels come first. An item that only another of its words fits follows them. */
function search<I extends PaletteItem>(items: readonly I[], words: string): Match<I>[] {
  const byLabel = rank(
    items.map((item) => item.label),
    words,
  ).flatMap(({ index, ranges }) => {
    const item = items[index];
    return item ? [{ item, ranges, by: null }] : [];
  });
  const known = new Set(byLabel.map(({ item }) => item));
  const others = items.flatMap((item) =>
    known.has(item) ? [] : (item.also ?? []).map((word) => ({ item, word })),
  );
  const byWord = new Map<I, Match<I>>();
  for (const { index } of rank(
    others.map(({ word }) => word),
    words,
  )) {
    const other = others[index];
    if (other && !byWord.has(other.item))
      byWord.set(other.item, { item: other.item, ranges: [], by: other.word });
  }
  return [...byLabel, ...byWord.values()];
}

function rank(texts: string[], words: string): { index: number; ranges: readonly number[] }[] {
  const [indexes, info, sorted] = fuzzy.search(texts, words, 1);
  if (!indexes || indexes.length === 0) return [];
  return info && sorted
    ? sorted.map((place) => ({ index: info.idx[place] ?? 0, ranges: info.ranges[place] ?? [] }))
    : indexes.map((index) => ({ index, ranges: [] }));
}
