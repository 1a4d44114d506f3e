import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

/**
 * Builds the sandbox as one file of plain JavaScript: Node 20 runs no TypeScript, and one file starts fast and can be copied
 * anywhere. Each command starts the file, and CommonJS starts a fifth faster than a module. The file is built on demand, and
 * again when a source file is newer. Resolves with its path.
 */
export async function buildProgram(): Promise<string> {
  const file = join(here, '../dist/dokku-sandbox.cjs');
  if (existsSync(file) && statSync(file).mtimeMs > newest()) return file;
  const { build } = await import('rolldown');
  await build({
    input: join(here, 'program/main.ts'),
    platform: 'node',
    output: { file, format: 'cjs', codeSplitting: false },
    logLevel: 'warn',
  });
  return file;
}

function newest(): number {
  const folders = [here, dirname(createRequire(import.meta.url).resolve('@homeport/dokku'))];
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { encoding: 'utf8', recursive: true }).map((name) => join(folder, name)),
  );
  return Math.max(...files.map((file) => statSync(file).mtimeMs));
}
