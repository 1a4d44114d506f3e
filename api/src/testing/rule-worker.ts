import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../proxies/rule-worker/', import.meta.url));
const file = fileURLToPath(new URL('../../dist/rule-worker.mjs', import.meta.url));

/** Builds the program of the rule worker, because a thread of Node 20 runs no TypeScript. Resolves with its path. */
export async function buildRuleWorker(): Promise<string> {
  if (existsSync(file) && statSync(file).mtimeMs > newest()) return file;
  const { build } = await import('rolldown');
  // Several test files may build it at once. Each finds a whole file.
  const fresh = `${file}.${randomUUID()}`;
  await build({
    input: join(folder, 'worker.ts'),
    platform: 'node',
    output: { file: fresh, format: 'esm', codeSplitting: false },
    logLevel: 'warn',
    checks: { eval: false },
  });
  await rename(fresh, file);
  return file;
}

function newest(): number {
  const { resolve } = createRequire(import.meta.url);
  const folders = [
    folder,
    dirname(resolve('@homeport/rules')),
    join(dirname(resolve('@homeport/contract/limits'))),
  ];
  const files = folders.flatMap((each) =>
    readdirSync(each, { encoding: 'utf8', recursive: true }).map((name) => join(each, name)),
  );
  return Math.max(...files.map((each) => statSync(each).mtimeMs));
}
