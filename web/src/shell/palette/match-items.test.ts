import { describe, expect, it } from 'vitest';
import { matchItems, type PaletteItem } from './match-items.ts';

const app = (label: string, at: number): PaletteItem => ({ id: label, group: 'Apps', label, at });
const items: PaletteItem[] = [
  ...['atlas', 'atlas-tiles', 'weathervane', 'ledger', 'postbox', 'tern', 'kelp'].map((label, at) =>
    app(label, at),
  ),
  { id: 'breakwater', group: 'Servers', label: 'breakwater' },
  { id: 'new', group: 'Commands', label: 'Create an app' },
  { id: 'theme', group: 'Commands', label: 'Change the theme' },
];
const labels = (query: string) =>
  matchItems(items, query).map(({ group, matches }) => [group, matches.map(({ item }) => item.label)]);

describe('the palette', () => {
  it('opens with the five newest apps and the commands that make something', () => {
    expect(labels('')).toEqual([
      ['Apps', ['kelp', 'tern', 'postbox', 'ledger', 'weathervane']],
      ['Commands', ['Create an app']],
    ]);
  });
  it('searches all groups, apps first, and marks the match', () => {
    expect(labels('at').map(([group]) => group)).toEqual(['Apps', 'Servers', 'Commands']);
    const [apps] = matchItems(items, 'weather');
    expect(apps?.matches[0]).toMatchObject({ item: { label: 'weathervane' }, ranges: [0, 7] });
  });
  it('shows at most six of a group, and counts the others', () => {
    const many = Array.from({ length: 9 }, (_, index) => app(`site-${index}`, index));
    expect(matchItems(many, 'site')[0]?.matches).toHaveLength(6);
    expect(matchItems(many, 'site')[0]?.more).toBe(3);
    expect(matchItems(many, 'site-1')[0]?.more).toBe(0);
  });
  it('finds an app by its domain, after those whose name fits, and names the domain', () => {
    const shop = { ...app('storefront', 9), also: ['storefront-x1', 'ledger.example.com'] };
    const [apps] = matchItems([...items, shop], 'ledger');
    expect(apps?.matches.map(({ item, by }) => [item.label, by])).toEqual([
      ['ledger', null],
      ['storefront', 'ledger.example.com'],
    ]);
  });
  it('finds nothing for nonsense', () => {
    expect(matchItems(items, 'zzqx')).toEqual([]);
  });
});
