import { expect, it } from 'vitest';
import { createSiteTable } from './site-table.ts';

const rule = {
  ...{ id: 'r1', path: '/shop', type: 'simple', target: 'https://shop.example.net' },
  ...{ pathRewriteSrc: `^/${'(?:.?){999}'.repeat(22)}$`, pathRewriteDest: '/' },
};
const site = (version: number, records: object[]) => ({
  ...{ id: 'p1', domain: 'quay.example', owner: 'o1', version },
  text: JSON.stringify({ source: 'https://www.example.net', records }),
});

it('a restored site whose pattern is beyond its share is not served, and the next reading of it says why', () => {
  const table = createSiteTable();
  table.restore(site(1, [rule]));
  expect(table.find('quay.example')).toBeNull();
  expect(table.find('quay.example')).toBeNull();
  expect(table.put(site(2, [rule]))).toBe('r1 pathRewriteSrc rewrite_size');
});

it('a restored site that was refused is served once its rules are mended', () => {
  const table = createSiteTable();
  table.restore(site(1, [rule]));
  expect(table.find('quay.example')).toBeNull();
  expect(table.put(site(2, []))).toBeNull();
  expect(table.find('quay.example')?.rules).toHaveLength(1);
});
