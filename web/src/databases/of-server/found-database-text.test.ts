import { expect, test } from 'vitest';
import { foundDatabaseText, foundKey } from './found-database-text.ts';

const found = { type: 'postgres', state: 'running', apps: [] } as const;

test('a found database is told by its type, its status and its apps', () => {
  expect(foundDatabaseText({ ...found, apps: [] })).toBe('PostgreSQL · Online · no app linked');
  expect(foundDatabaseText({ ...found, state: 'paused', apps: ['shop', 'blog'] })).toBe(
    'PostgreSQL · Paused · read by shop, blog',
  );
});

test('a long list of apps ends with their number', () => {
  const apps = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  expect(foundDatabaseText({ ...found, apps })).toContain('read by a, b, c, d, e and 2 more');
});

test('databases of two types may share a name', () => {
  expect(foundKey({ type: 'redis', longname: 'db' })).not.toBe(foundKey({ type: 'mysql', longname: 'db' }));
});
