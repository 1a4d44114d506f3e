import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../install.mjs';

/**
 * The Node.js that packages bring, for the processor of this machine: npm installs what `packaging/node/package-lock.json` names, and
 * compares its checksum. Kept in `.runtimes/`, so npm asks nobody the next time.
 *
 * @returns {{ program: string, licence: string }}
 */
export function bundledNode() {
  const folder = join(root, '.runtimes/bundled');
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(root, 'packaging/node', file), join(folder, file));
  const name = `node-${process.platform}-${process.arch}`;
  const installed = join(folder, 'node_modules', name);
  const { status } = spawnSync(
    'npm',
    ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const program = join(installed, 'bin/node');
  if (status !== 0 || !existsSync(program)) throw new Error(`npm did not bring ${name}.`);
  return { program, licence: join(installed, 'LICENSE') };
}
