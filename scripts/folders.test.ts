import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { importGraph, siblingsThatImportEachOther, sourceFiles } from './import-graph.mjs';

const files = sourceFiles();

it('finds a pair of sibling folders that import each other, at any depth', () => {
  const graph = new Map([
    ['web/src/apps/list/row.ts', ['web/src/servers/name.ts', 'web/src/apps/page/title.ts']],
    ['web/src/apps/page/title.ts', ['web/src/apps/list/row.ts', 'web/src/start.ts']],
    ['web/src/servers/name.ts', ['web/src/start.ts']],
    ['web/src/start.ts', ['web/src/apps/page/title.ts']],
  ]);
  expect(siblingsThatImportEachOther(graph).map(({ folders }) => folders)).toEqual([
    ['web/src/apps/list', 'web/src/apps/page'],
  ]);
});

it('reads the imports of every room', () => {
  const graph = importGraph(files);
  expect(graph.get('web/src/main.ts')).toContain('web/src/frame.tsx');
  expect(graph.get('api/src/index.ts')).toContain('api/src/apps/handlers.ts');
});

it('two sibling folders of one room never import each other', () => {
  expect(siblingsThatImportEachOther(importGraph(files))).toEqual([]);
});

it('no folder holds more than 25 source files at one level', () => {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > 25)).toEqual([]);
});
