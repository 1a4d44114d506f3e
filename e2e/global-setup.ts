import { execFileSync } from 'node:child_process';
import { root } from '../scripts/install.mjs';
import { staleParts } from '../scripts/stale.mjs';
import { makeSeed } from './fixtures/seed.ts';

/** Builds outdated parts once, and makes the data folder from which the consoles of the workers begin. Returns what removes the folder. */
// biome-ignore lint/style/noDefaultExport: Playwright takes the default export of this file.
export default function prepare(): Promise<() => Promise<void>> {
  buildStale();
  return makeSeed();
}

export function buildStale(): void {
  const stale = staleParts();
  if (stale.length > 0)
    execFileSync(process.execPath, ['scripts/build.mjs', ...stale], { cwd: root, stdio: 'inherit' });
}
