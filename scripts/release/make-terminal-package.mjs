import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from '../install.mjs';
import { thirdParties } from './collect-packages.mjs';
import { evenModes, packTree } from './make-tree.mjs';

/** The packages whose code is in the program. */
const inside = ['zod', 'ipaddr.js', 'ws'];

/** @param {string} version @returns {string} */
export const terminalPackageName = (version) => `homeport-terminal-${version}.tgz`;

/**
 * Makes a package of npm of the commands for a terminal: one built file, for every system, that loads nothing.
 *
 * @param {string} file the package to write, ends in `.tgz`
 * @param {{ program: string, version: string, at: number }} from `at` is in epoch seconds, the time of each file
 */
export function makeTerminalPackage(file, { program, version, at }) {
  mkdirSync(dirname(file), { recursive: true });
  const work = mkdtempSync(`${file}.`);
  try {
    // npm takes off the name of the one folder in the archive.
    const laid = join(work, 'package');
    mkdirSync(laid);
    copyFileSync(program, join(laid, 'homeport.js'));
    chmodSync(join(laid, 'homeport.js'), 0o755);
    copyFileSync(join(root, 'LICENSE'), join(laid, 'LICENSE'));
    copyFileSync(join(root, 'docs/cli.md'), join(laid, 'README.md'));
    writeFileSync(join(laid, 'THIRD-PARTY-LICENSES.txt'), licences());
    const { engines, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const manifest = {
      ...{ name: 'homeport-terminal', version, license, type: 'module', engines },
      // Nobody publishes it by mistake.
      private: true,
      bin: { homeport: 'homeport.js' },
    };
    writeFileSync(join(laid, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
    evenModes(laid);
    const archive = join(work, `${basename(file)}.tar.gz`);
    packTree(laid, archive, at);
    renameSync(archive, file);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function licences() {
  const texts = thirdParties()
    .filter(({ name }) => inside.includes(name))
    .map(({ name, version, license, text }) => `${name} ${version}: ${license}\n\n${text}\n`);
  return `The program holds code of these packages.\n\n${texts.join('\n')}`;
}
