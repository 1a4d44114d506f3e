import { execFileSync } from 'node:child_process';
import { root } from '../scripts/install.mjs';
import { staleParts } from '../scripts/stale.mjs';

/** Builds outdated parts once, before the workers start their consoles. */
// biome-ignore lint/style/noDefaultExport: Playwright takes the default export of this file.
export default function buildStale(): void {
  const stale = staleParts();
  if (stale.length > 0)
    execFileSync(process.execPath, ['scripts/build.mjs', ...stale], { cwd: root, stdio: 'inherit' });
}
