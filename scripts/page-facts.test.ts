import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { root } from './install.mjs';
import { factsOf, ownFacts } from './page-facts.ts';

const tracked = (...folders: string[]) =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...folders], {
    cwd: root,
    encoding: 'utf8',
  }).split('\n');

/** Modules of the contract that the page may import without the weight of zod. */
const factModules = [
  ...tracked('contract/src').filter((path) => path.endsWith('/facts.ts')),
  'contract/src/limits.ts',
  'contract/src/horizons.ts',
  'contract/src/apps/default-domain.ts',
  'contract/src/apps/environment.ts',
  'contract/src/apps/plans.ts',
];
const modules: Record<string, unknown>[] = await Promise.all(
  factModules.map((path) => import(join(root, path))),
);
const facts = factsOf(modules.flatMap((each) => Object.values(each)));

const own = (text: string) => ownFacts(text, 'tsx', facts);

/** Numbers and names that are a fact of something else, with the reason. */
const excused: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'web/src/apps/page/manage/repository-form.ts': {
    'the name main': 'The usual branch of a repository. An app’s deploy branch is another one.',
  },
  'web/src/data/browser-store.ts': {
    'the name homeport': 'The name of the database in the browser.',
  },
  'web/src/keys/key-file-limit.ts': {
    'the number 65536': 'The longest private key that is read. It never leaves the browser.',
  },
  'web/src/keys/signing/signing-keys.ts': {
    'the number 8192': 'The longest RSA key that signs, in bits.',
  },
  'web/src/shell/FrameLayout.tsx': {
    'the name main': 'The id of the element that holds the page.',
  },
  'web/src/shell/frame-failed.ts': {
    'the name main': 'The name of an HTML element.',
  },
  'web/src/ui/keep-focus.ts': {
    'the name main': 'The name of an HTML element.',
  },
};

describe('the page states no fact of its own', () => {
  const sources = tracked('web/src').filter(
    (path) => /\.tsx?$/.test(path) && !/\.test\.|-fixtures?\.ts$|\/gallery\//.test(path),
  );

  it.each(sources)('%s', (path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const found = ownFacts(text, path.endsWith('x') ? 'tsx' : 'ts', facts);
    const reasons = excused[path] ?? {};
    expect(found.filter((each) => reasons[each.split(': ')[1] ?? ''] === undefined)).toEqual([]);
  });
});

describe('a fact that the page writes is found', () => {
  it('in the name of a subprotocol', () => {
    expect(own("new WebSocket(url, 'homeport.live.v1');")).toEqual(['1: the name homeport.live.v1']);
  });

  it('in a list of final states, as an array, a type or a chain of comparisons', () => {
    expect(own("const over = ['failed', 'succeeded', 'cancelled', 'interrupted'];")).toHaveLength(1);
    expect(own("type Over = 'failed' | 'succeeded' | 'cancelled' | 'interrupted';")).toHaveLength(1);
    expect(own("x === 'failed' || x === 'succeeded' || x === 'cancelled';")).toHaveLength(1);
  });

  it('in a limit, wherever it stands and however it is written', () => {
    expect(own('const most = 32_768;')).toEqual(['1: the number 32768']);
    expect(own('const most = 32 * 1024;')).toEqual(['1: the number 32768']);
    expect(own('wait(5 * 60_000);')).toEqual(['1: the number 300000']);
    expect(own('<input maxLength={80} />')).toEqual(['1: maxLength with a number']);
    expect(own('z.string().max(80);')).toEqual(['1: .max with a number']);
  });

  it('in the key of a query', () => {
    expect(own("invalidate({ queryKey: ['apps'] });")).toEqual(['1: a query key']);
    expect(own("const queryKey = ['on-server', id];")).toEqual(['1: a query key']);
  });

  it('and other code is not', () => {
    expect(
      own(`import { x } from 'x';
        const choices = ['failed', 'succeeded'];
        const share = Math.max(80, width);
        const bar = <progress max={100} />;
        if (state === 'failed') wait(2_000);`),
    ).toEqual([]);
  });
});

it('no module of facts brings a library along', () => {
  const brought = factModules
    .flatMap((path) => [...reachedFrom(path)])
    .filter((each) => !each.endsWith('.ts'));
  expect(brought).toEqual([]);
});

it('a library is found behind a second module', () => {
  expect(reachedFrom('contract/src/apps/schema.ts')).toContain('zod');
});

const importSchema = z.object({
  importKind: z.string().optional(),
  exportKind: z.string().optional(),
  source: z.object({ value: z.string() }),
});

/** The files and libraries that a module imports for more than their types, directly or through another module. */
function reachedFrom(path: string, found = new Set<string>()): ReadonlySet<string> {
  found.add(path);
  for (const node of parseAst(readFileSync(join(root, path), 'utf8'), { lang: 'ts' }).body) {
    const read = importSchema.safeParse(node);
    if (!read.success || read.data.importKind === 'type' || read.data.exportKind === 'type') continue;
    const { value } = read.data.source;
    const target = value.startsWith('.') ? join(path, '..', value) : value;
    if (!found.has(target) && target.endsWith('.ts')) reachedFrom(target, found);
    else found.add(target);
  }
  return found;
}
