import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { routes } from '@homeport/contract/routes';
import { monitorRoutes } from '@homeport/contract/stats/schema';
import { describe, expect, it } from 'vitest';
import { authTable } from '../api/src/identity/auth-table.ts';
import { root } from './install.mjs';

const existing = Object.keys({ ...routes, ...authTable, ...monitorRoutes });
const rows = routeCells(readFileSync(join(root, 'docs/calls.md'), 'utf8'));

describe('docs/calls.md', () => {
  it('names only routes that exist', () => {
    expect(named(rows).filter((route) => !existing.includes(route))).toEqual([]);
  });

  it('names every route that exists', () => {
    const found = named(rows);
    expect(existing.filter((route) => !found.includes(route))).toEqual([]);
  });

  it('gives every call a route, or says that it is to come', () => {
    expect(rows).not.toEqual([]);
    expect(rows.filter((cell) => named([cell]).length === 0 && cell !== 'to come')).toEqual([]);
  });
});

/** The cells of every column that is headed "Route". */
function routeCells(markdown: string): string[] {
  let column = -1;
  return markdown.split('\n').flatMap((line) => {
    if (!line.startsWith('|')) {
      column = -1;
      return [];
    }
    const cells = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (column < 0) {
      column = cells.indexOf('Route');
      return [];
    }
    return cells.every((cell) => /^-+$/.test(cell)) ? [] : [cells[column] ?? ''];
  });
}

function named(cells: readonly string[]): string[] {
  return cells.flatMap((cell) => [...cell.matchAll(/`([A-Z]+ \/[^`]+)`/g)].map(([, route = '']) => route));
}
