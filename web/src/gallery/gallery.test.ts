import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const gallery = import.meta.dirname;
const library = join(gallery, '../ui');

/** A guard draws nothing before a person leaves, and the program draws the toasts around every page, the gallery too. */
const notInIt = ['LeaveGuard', 'Toasts'];

const sourcesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));

/** The components that a source draws, at once or when they have loaded. */
const drawn = (source: string) =>
  [...source.matchAll(/(?<!\w)<([A-Z]\w*)|import\('[^']*\/([A-Z]\w*)\.tsx'\)/g)].map(
    ([, name = '', loaded = name]) => loaded,
  );
/** The components that a source offers to others. */
const offered = (source: string) =>
  [...source.matchAll(/^export (?:function|const) ([A-Z]\w*)/gm)].map(([, name = '']) => name);

/** What the gallery shows: what it draws, and what the shown components draw themselves. */
function shown(): ReadonlySet<string> {
  const found = new Set(sourcesIn(gallery).flatMap(drawn));
  const parts = sourcesIn(library).map((source) => ({ own: offered(source), draws: drawn(source) }));
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const { own, draws } of parts)
      if (own.some((name) => found.has(name))) for (const name of draws) found.add(name);
  }
  return found;
}

test('the gallery shows each component of the library', () => {
  const all = sourcesIn(library).flatMap(offered);
  expect(all.length).toBeGreaterThan(50);
  const stand = shown();
  expect(all.filter((name) => !stand.has(name))).toEqual(notInIt);
});

test('what the gallery itself draws are the blocks of a page, each by its name', () => {
  const itself = new Set(sourcesIn(gallery).flatMap(drawn));
  const blocks = [
    ...['Panel', 'PanelPart', 'Setting', 'Badge', 'Status', 'WorkBadge', 'Quiet', 'Button', 'IconButton'],
    ...['TextField', 'Select', 'Textarea', 'Table', 'Empty', 'NothingYet', 'Failed', 'SkeletonRows'],
    ...['LogView', 'Dialog', 'ConfirmDialog', 'OperationDialog', 'Banner', 'Chart', 'Meter'],
  ];
  expect(blocks.filter((name) => !itself.has(name))).toEqual([]);
});
