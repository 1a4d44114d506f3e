import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { circlesOfFolders, importGraph, sourceFiles } from './import-graph.mjs';

const files = sourceFiles();

const circles = (imports: Record<string, string[]>) =>
  circlesOfFolders(new Map(Object.entries(imports))).map(({ folders }) => folders);

it('finds sibling folders that import each other, at any depth', () => {
  expect(
    circles({
      'web/src/apps/list/row.ts': ['web/src/servers/name.ts', 'web/src/apps/page/title.ts'],
      'web/src/apps/page/title.ts': ['web/src/apps/list/row.ts', 'web/src/start.ts'],
      'web/src/servers/name.ts': ['web/src/start.ts'],
      'web/src/start.ts': ['web/src/apps/page/title.ts'],
    }),
  ).toEqual([['web/src/apps/list', 'web/src/apps/page']]);
});

it('finds circles of more folders, and not the folders that only lead to one', () => {
  expect(
    circles({
      'web/src/home/page.ts': ['web/src/apps/list/row.ts'],
      'web/src/apps/list/row.ts': ['web/src/shell/page.ts'],
      'web/src/apps/looks.ts': ['web/src/ui/button.ts'],
      'web/src/shell/shell.ts': ['web/src/window/host.ts'],
      'web/src/window/host.ts': ['web/src/apps/looks.ts'],
    }),
  ).toEqual([['web/src/apps', 'web/src/shell', 'web/src/window']]);
});

it('reads the imports of every room', () => {
  const graph = importGraph(files);
  expect(graph.get('web/src/main.ts')).toContain('web/src/frame.tsx');
  expect(graph.get('api/src/index.ts')).toContain('api/src/apps/feature.ts');
});

it('no sibling folders of one room import each other in a circle', () => {
  expect(circlesOfFolders(importGraph(files))).toEqual([]);
});

it('no folder holds more than 25 source files at one level', () => {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > 25)).toEqual([]);
});
