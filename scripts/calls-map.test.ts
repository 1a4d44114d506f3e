import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { routes } from '@homeport/contract/routes';
import { monitorRoutes } from '@homeport/contract/stats/schema';
import { describe, expect, it } from 'vitest';
import { authTable } from '../api/src/identity/auth-table.ts';
import { root } from './install.mjs';

/** Routes that stand in no table: a program registers them by itself. The prefix stands before the route's own path. */
const registering: Record<string, string> = {
  'homeport/src/health.ts': '',
  'homeport/src/web-page.ts': '',
  'proxy/src/control/control-server.ts': '',
  'api/src/index.ts': '/api',
  'api/src/mcp/endpoint.ts': '',
};
const registration = /(?:\.(get|post|put|patch|delete)\('|case '(GET|POST) )(\/[^']*)'/g;
const registeredIn = (file: string, prefix: string) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(registration)].map(
    ([, method = '', written = '', path = '']) => `${(method || written).toUpperCase()} ${prefix}${path}`,
  );
const beside = Object.entries(registering).flatMap(([file, prefix]) => registeredIn(file, prefix));

const existing = [...Object.keys({ ...routes, ...authTable, ...monitorRoutes }), ...beside];
const rows = routeCells(readFileSync(join(root, 'docs/calls.md'), 'utf8'));

describe('docs/calls.md', () => {
  it('names only routes that exist', () => {
    expect(named(rows).filter((route) => !existing.includes(route))).toEqual([]);
  });

  it('names every route that exists', () => {
    const found = named(rows);
    expect(existing.filter((route) => !found.includes(route))).toEqual([]);
  });

  it('knows every file that registers a route of its own', () => {
    const files = execFileSync('git', ['ls-files', '*/src/*.ts'], { cwd: root, encoding: 'utf8' })
      .split('\n')
      .filter((file) => file !== '' && existsSync(join(root, file)) && !/test/.test(file));
    const found = files.filter((file) => registeredIn(file, '').length > 0);
    // The monitor registers the routes of its table.
    const own = found.filter((file) => !file.startsWith('monitor/') && !file.startsWith('sandbox/'));
    expect(own.sort()).toEqual(Object.keys(registering).sort());
    expect(beside).toContain('GET /readyz');
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
  return cells.flatMap((cell) => [...cell.matchAll(/`([A-Z]+ \/[^`]*)`/g)].map(([, route = '']) => route));
}
