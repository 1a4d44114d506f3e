// `npm run release [-- <folder>]`: builds the programs, and makes of them a console that runs from any folder, also a read-only one:
// homeport-<version>-<system>-<cpu>.tar.gz for the Node of its machine, homeport-<version>.tgz for npm, homeport-terminal-<version>.tgz with the commands for a terminal, on Linux a Debian package with its own Node, and SHA256SUMS.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { ensureInstalled, root } from '../install.mjs';
import { bundledNode } from './bundled-node.mjs';
import { debName, makeDeb } from './make-deb.mjs';
import { makeNpmPackage, npmPackageName } from './make-npm-package.mjs';
import { makeTerminalPackage, terminalPackageName } from './make-terminal-package.mjs';
import { makeTree, packTree, releaseName } from './make-tree.mjs';

/** What the Debian package may weigh: people download it. */
const mostDebBytes = 60_000_000;

ensureInstalled();
const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], { stdio: 'inherit' });
if (status !== 0) process.exit(1);

const folder = resolve(process.argv[2] ?? join(root, 'release'));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const at = changedAt();
const tree = join(folder, releaseName());
rmSync(tree, { recursive: true, force: true });
mkdirSync(tree, { recursive: true });
makeTree(tree);

const archive = `${tree}.tar.gz`;
packTree(tree, archive, at);
const npmPackage = join(folder, npmPackageName(version));
makeNpmPackage(npmPackage, { tree, at });
const terminalPackage = join(folder, terminalPackageName(version));
makeTerminalPackage(terminalPackage, { program: join(root, 'cli/dist/homeport.js'), version, at });
const made = [archive, npmPackage, terminalPackage];
if (process.platform === 'linux') made.push(debOf(tree));
writeFileSync(join(folder, 'SHA256SUMS'), made.map(lineOf).join(''));

/** @param {string} tree */
function debOf(tree) {
  const file = join(folder, debName(version, process.arch));
  makeDeb(file, { tree, node: bundledNode(), version, cpu: process.arch, at });
  const { size } = statSync(file);
  if (size > mostDebBytes)
    throw new Error(`${basename(file)} is larger than ${mostDebBytes} bytes: ${size}.`);
  return file;
}

/** @param {string} file @returns {string} for `sha256sum --check` */
function lineOf(file) {
  const sum = createHash('sha256').update(readFileSync(file)).digest('hex');
  console.log(`${file}: ${(statSync(file).size / 1_000_000).toFixed(1)} MB, SHA-256 ${sum}`);
  return `${sum}  ${basename(file)}\n`;
}

/** Epoch seconds: SOURCE_DATE_EPOCH (reproducible-builds.org/specs/source-date-epoch), else the time of the last commit. */
function changedAt() {
  const given = process.env.SOURCE_DATE_EPOCH;
  if (given !== undefined && /^\d{1,12}$/.test(given)) return Number(given);
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
  return Number(stdout?.trim() || 0);
}
