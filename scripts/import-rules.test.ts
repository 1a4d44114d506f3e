import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { root } from './install.mjs';

/** The "may import" column of ARCHITECTURE.md; biome.json holds the same as rules, and this test tries each of them. */
const mayImport = {
  contract: [],
  store: ['contract'],
  dokku: ['contract'],
  ssh: ['contract'],
  rules: ['contract'],
  api: ['contract', 'store', 'dokku', 'ssh', 'rules', 'agent'],
  monitor: ['contract', 'store'],
  proxy: ['contract', 'store', 'rules'],
  agent: [],
  web: ['contract'],
  homeport: ['contract', 'store', 'dokku', 'ssh', 'rules', 'api', 'monitor', 'proxy', 'agent'],
} as const;

type Room = keyof typeof mayImport;
const rooms = Object.keys(mayImport) as Room[];

const reportSchema = z.object({
  diagnostics: z.array(
    z.object({
      category: z.string(),
      location: z.object({ path: z.string(), start: z.object({ line: z.number() }) }),
    }),
  ),
});

/** One import a line, so that a finding’s line names the import that it is about. */
function specifiersFor(room: Room): string[] {
  return rooms
    .filter((other) => other !== room)
    .flatMap((other) => [
      `@homeport/${other}`,
      `@homeport/${other}/testing`,
      `../../${other}/src/any-file.ts`,
    ]);
}

const folders = ['src', 'src/feature/deeper'];
let workspace: string;
let refused: ReadonlySet<string>;

beforeAll(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'homeport-import-rules-'));
  await copyFile(join(root, 'biome.json'), join(workspace, 'biome.json'));
  for (const room of rooms) {
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
  for (const room of rooms) {
    it(`let ${room}/ import ${mayImport[room].join(', ') || 'nothing of ours'} and no other room`, () => {
      const allowed: readonly string[] = mayImport[room];
      for (const folder of folders) {
        for (const [index, specifier] of specifiersFor(room).entries()) {
          const byPath = specifier.startsWith('.');
          const other = specifier.split('/')[byPath ? 2 : 1] ?? '';
          const isRefused = refused.has(`${room}/${folder}/imports.ts:${index + 1}`);
          // A room is reached by its public name only, never by a path through its wall.
          expect({ folder, specifier, isRefused }).toEqual({
            folder,
            specifier,
            isRefused: byPath || !allowed.includes(other),
          });
        }
      }
    });
  }
});

/** The findings of `noRestrictedImports`, each as `path:line`. */
async function refusedImports(folder: string): Promise<ReadonlySet<string>> {
  const output = await new Promise<string>((resolve, reject) => {
    execFile(
      join(root, 'node_modules/.bin/biome'),
      ['lint', '--reporter=json', '--max-diagnostics=none', '--vcs-enabled=false', '.'],
      { cwd: folder, timeout: 60_000, maxBuffer: 32 * 1024 * 1024 },
      // Biome exits with 1 when it finds something, which is what is wanted here.
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
