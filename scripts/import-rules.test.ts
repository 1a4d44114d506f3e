import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { importGraph, sourceFiles, testFiles } from './import-graph.mjs';
import { importRules } from './import-rules.mjs';
import { root } from './install.mjs';
import { rooms } from './rooms.mjs';

const names = Object.keys(rooms);

const reportSchema = z.object({
  diagnostics: z.array(
    z.object({
      category: z.string(),
      location: z.object({ path: z.string(), start: z.object({ line: z.number() }) }),
    }),
  ),
});

/** One import a line, so that a finding’s line number names its import. */
function specifiersFor(room: string): string[] {
  return names
    .filter((other) => other !== room)
    .flatMap((other) => [
      `@homeport/${other}`,
      `@homeport/${other}/testing`,
      `../../${other}/src/any-file.ts`,
    ]);
}

/** Folders of a room's code, and one of its test support. */
const folders = ['src', 'src/feature/deeper', 'src/testing'];
let workspace: string;
let refused: ReadonlySet<string>;

beforeAll(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'homeport-import-rules-'));
  await copyFile(join(root, 'biome.json'), join(workspace, 'biome.json'));
  for (const room of names) {
    const text = specifiersFor(room)
      .map((specifier) => `import '${specifier}';\n`)
      .join('');
    for (const folder of folders) {
      const file = join(workspace, room, folder, 'imports.ts');
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  }
  refused = await refusedImports(workspace);
});

afterAll(() => rm(workspace, { recursive: true }));

describe('the import rules', () => {
  for (const [room, { mayImport, testsMayImport = [] }] of Object.entries(rooms)) {
    it(`let ${room}/ import ${mayImport.join(', ') || 'no other room'} and nothing else`, () => {
      for (const folder of folders) {
        const allowed = folder.endsWith('testing') ? [...mayImport, ...testsMayImport] : mayImport;
        for (const [index, specifier] of specifiersFor(room).entries()) {
          const byPath = specifier.startsWith('.');
          const other = specifier.split('/')[byPath ? 2 : 1] ?? '';
          const isRefused = refused.has(`${room}/${folder}/imports.ts:${index + 1}`);
          // A room is imported by its public name only, never by a path into its folder.
          expect({ folder, specifier, isRefused }).toEqual({
            folder,
            specifier,
            isRefused: byPath || !allowed.includes(other),
          });
        }
      }
    });
  }

  it('in biome.json are those that scripts/import-rules.mjs makes', async () => {
    const { overrides } = JSON.parse(await readFile(join(root, 'biome.json'), 'utf8'));
    const made = importRules();
    expect(overrides.slice(0, made.length), 'run `node scripts/import-rules.mjs`').toEqual(made);
  });

  it('agree with what the package.json of each room declares', async () => {
    const declared = await Promise.all(
      names.map(async (room) => {
        const json = JSON.parse(await readFile(join(root, room, 'package.json'), 'utf8'));
        const packages = Object.keys({ ...json.dependencies, ...json.devDependencies });
        return [room, packages.filter((name) => name.startsWith('@homeport/')).toSorted()];
      }),
    );
    const allowed = Object.entries(rooms).map(([room, { mayImport, testsMayImport = [] }]) => [
      room,
      [...mayImport, ...testsMayImport].map((name) => `@homeport/${name}`).toSorted(),
    ]);
    expect(Object.fromEntries(declared)).toEqual(Object.fromEntries(allowed));
  });

  it('are kept by the scripts, which import no test of the whole program', () => {
    const graph = importGraph([...sourceFiles(), ...testFiles()]);
    const upwards = [...graph].filter(
      ([file, imported]) => file.startsWith('scripts/') && imported.some((path) => path.startsWith('e2e/')),
    );
    expect(upwards).toEqual([]);
  });

  it('agree with the table in ARCHITECTURE.md', async () => {
    const text = await readFile(join(root, 'ARCHITECTURE.md'), 'utf8');
    const rows = [...text.matchAll(/^\| `([\w-]+)\/` \| .* \| ([^|]*) \|$/gm)];
    const shown = Object.fromEntries(rows.map(([, room = '', column = '']) => [room, column]));
    const expected = Object.entries(rooms).map(([room, { mayImport, testsMayImport = [] }]) => {
      const column = mayImport.join(', ') || 'nothing of ours';
      return [room, testsMayImport.length ? `${column}; in tests ${testsMayImport.join(', ')}` : column];
    });
    expect(shown).toMatchObject(Object.fromEntries(expected));
    expect(Object.keys(shown).toSorted()).toEqual([...names, 'e2e', 'bench'].toSorted());
  });
});

/** The findings of `noRestrictedImports`, each as `path:line`. */
async function refusedImports(folder: string): Promise<ReadonlySet<string>> {
  const output = await new Promise<string>((resolve, reject) => {
    execFile(
      join(root, 'node_modules/.bin/biome'),
      ['lint', '--reporter=json', '--max-diagnostics=none', '--vcs-enabled=false', '.'],
      { cwd: folder, timeout: 60_000, maxBuffer: 32 * 1024 * 1024 },
      // Biome exits with 1 when it has findings, and this test expects findings.
      (error, stdout, stderr) => (stdout ? resolve(stdout) : reject(new Error(stderr || String(error)))),
    );
  });
  const { diagnostics } = reportSchema.parse(JSON.parse(output));
  return new Set(
    diagnostics
      .filter(({ category }) => category === 'lint/style/noRestrictedImports')
      .map(({ location }) => `${location.path}:${location.start.line}`),
  );
}
