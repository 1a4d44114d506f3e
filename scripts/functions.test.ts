import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSource } from './collect-functions.ts';
import { sourceFiles, testFiles } from './import-graph.mjs';
import { root } from './install.mjs';

/** One idea may take a screen and a half; what is cut to fit has to be read together again. */
const mostLines = 120;
const mostPiecesOfState = 5;
/** Every source file is parsed, on a machine that may do other things as well. */
const timeout = 60_000;

const read = (file: string) => readSource(file, readFileSync(join(root, file), 'utf8'));

/** A group of tests is a list of functions: nobody has to follow the group as a whole. */
const isGroupOfTests = (name: string) => /^(?:test\.)?describe\b/.test(name);
/** Components and hooks. */
const mayHoldState = (name: string) => /^(?:[A-Z]|use[A-Z])/.test(name);

describe('every function', () => {
  it(`has at most ${mostLines} lines`, { timeout }, () => {
    const tests = testFiles().flatMap((file) => read(file).functions);
    const long = [
      ...sourceFiles().flatMap((file) => read(file).functions),
      ...tests.filter(({ name }) => !isGroupOfTests(name)),
    ].filter(({ lines }) => lines > mostLines);
    expect(long.map(({ place, name, lines }) => `${place} ${name}: ${lines} lines`)).toEqual([]);
  });

  it('is measured from its first line to its last one, comments and markup included', () => {
    const text = [
      'function Page() {',
      '  // why',
      '',
      '  return (',
      '    <p>',
      '      text',
      '    </p>',
      '  );',
      '}',
    ];
    expect(functionsOf('a.tsx', text).map(({ name, lines }) => ({ name, lines }))).toEqual([
      { name: 'Page', lines: 9 },
    ]);
  });

  it('is found wherever it stands, under the name that it is given to', () => {
    const text = [
      'export const verb = async (): Promise<void> => {};',
      "const handlers = { 'GET /': () => 1, method() {} };",
      "describe.each([1])('a group', () => { it('works', () => {}) });",
      "test.describe('a group', () => {});",
    ];
    expect(functionsOf('a.ts', text).map(({ name }) => name)).toEqual([
      'verb',
      "'GET /'",
      'method',
      'describe.each([1])',
      'it',
      'test.describe',
    ]);
  });
});

describe('every component and hook', () => {
  it(`holds at most ${mostPiecesOfState} pieces of state`, { timeout }, () => {
    const full = sourceFiles()
      .filter((file) => file.startsWith('web/'))
      .flatMap((file) => read(file).functions)
      .filter(({ name, stateCount }) => mayHoldState(name) && stateCount > mostPiecesOfState);
    expect(full.map(({ place, name, stateCount }) => `${place} ${name}: ${stateCount}`)).toEqual([]);
  });

  it('is charged for states, reducers and the refs that it assigns itself', () => {
    const text = [
      'function useThing() {',
      '  const [name, setName] = useState<string>("");',
      '  const [form, send] = useReducer(reduce, start);',
      '  const timer = useRef(0);',
      '  const input = useRef<HTMLInputElement>(null);',
      '  const stop = () => { timer.current = 1; timer.current = 0; input.current?.focus(); };',
      '}',
    ];
    expect(functionsOf('a.ts', text)[0]).toMatchObject({ name: 'useThing', stateCount: 3 });
  });
});

describe('the handlers of the routes', () => {
  it('write no SQL', () => {
    const handlers = sourceFiles().filter((file) => /^api\/src\/.*handlers\.ts$/.test(file));
    expect(handlers.map((file) => basename(file))).toContain('handlers.ts');
    expect(handlers.flatMap((file) => read(file).queries)).toEqual([]);
  });

  it('are caught with a builder of Kysely and with its template', () => {
    const text = [
      "const rows = await db.selectFrom('keys').execute();",
      "await db.updateTable('keys').set({}).execute();",
      'await sql<{ id: string }>`select 1`.execute(db);',
      'const plain = `select 1`;',
    ].join('\n');
    expect(readSource('handlers.ts', text).queries).toEqual([
      'handlers.ts:1',
      'handlers.ts:2',
      'handlers.ts:3',
    ]);
  });
});

function functionsOf(file: string, lines: readonly string[]) {
  return readSource(file, lines.join('\n')).functions;
}
