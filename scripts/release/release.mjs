// `npm run release [-- <folder>]`: builds the programs, and makes of them release/homeport-<version>-<system>-<cpu>.tar.gz with SHA256SUMS:
// a console that runs from any folder, also a read-only one, with the Node of its machine.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { ensureInstalled, root } from '../install.mjs';
import { makeTree, packTree, releaseName } from './make-tree.mjs';

ensureInstalled();
const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], { stdio: 'inherit' });
if (status !== 0) process.exit(1);

const folder = resolve(process.argv[2] ?? join(root, 'release'));
const tree = join(folder, releaseName());
const archive = `${tree}.tar.gz`;
for (const old of [tree, archive]) rmSync(old, { recursive: true, force: true });
mkdirSync(tree, { recursive: true });
makeTree(tree);
packTree(tree, archive, changedAt());
const sum = createHash('sha256').update(readFileSync(archive)).digest('hex');
writeFileSync(join(folder, 'SHA256SUMS'), `${sum}  ${basename(archive)}\n`);
console.log(`${archive}: ${(statSync(archive).size / 1024 / 1024).toFixed(1)} MiB, SHA-256 ${sum}`);

/** Epoch seconds: SOURCE_DATE_EPOCH (reproducible-builds.org/specs/source-date-epoch), else the time of the last commit. */
function changedAt() {
  const given = process.env.SOURCE_DATE_EPOCH;
  if (given !== undefined && /^\d{1,12}$/.test(given)) return Number(given);
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
  return Number(stdout?.trim() || 0);
}
