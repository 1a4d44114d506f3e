// The sources of each built part, and whether the part was built from the current sources.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';
import { reachedFrom } from './rooms.mjs';

/** @typedef {'server' | 'web'} PartName */

/** @type {Record<PartName, { output: string, stamp: string, sources: string[] }>} */
export const parts = {
  server: {
    output: join(root, 'homeport/dist/server.js'),
    stamp: join(root, 'homeport/dist/server-built-from'),
    sources: [...reachedFrom('homeport'), 'package-lock.json', 'scripts/build.mjs'],
  },
  web: {
    output: join(root, 'web/dist/index.html'),
    stamp: join(root, 'homeport/dist/page-built-from'),
    sources: [...reachedFrom('web'), 'package-lock.json', 'scripts/build.mjs'],
  },
};

/**
 * The parts that are missing, or were built from other sources than the current ones.
 *
 * @returns {PartName[]}
 */
export function staleParts() {
  return /** @type {PartName[]} */ (Object.keys(parts)).filter((name) => {
    const { output, stamp } = parts[name];
    return !existsSync(output) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== sourceHash(name);
  });
}

/**
 * A hash of the sources' contents. Times do not count, because a checkout gives every file a new time.
 *
 * @param {PartName} name
 */
export function sourceHash(name) {
  const hash = createHash('sha256');
  for (const source of parts[name].sources) {
    for (const path of filesBelow(source))
      hash.update(path).update('\0').update(contentHash(path)).update('\0');
  }
  return hash.digest('hex');
}

/** @type {Map<string, string>} Both parts are built from some of the same rooms, and a start looks at both. */
const contentHashes = new Map();

/** @param {string} path */
function contentHash(path) {
  const known = contentHashes.get(path);
  if (known !== undefined) return known;
  const hash = createHash('sha256')
    .update(readFileSync(join(root, path)))
    .digest('hex');
  contentHashes.set(path, hash);
  return hash;
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesBelow(path) {
  if (/\.[a-z]+$/.test(path)) return isSource(path) ? [path] : [];
  return readdirSync(join(root, path), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      if (notSources.has(entry.name)) return [];
      const below = `${path}/${entry.name}`;
      if (entry.isDirectory()) return filesBelow(below);
      return isSource(below) ? [below] : [];
    });
}

const notSources = new Set([
  'node_modules',
  'dist',
  'dist.new',
  'dist.old',
  'transcripts',
  'built-from',
  '.vite',
]);

/** @param {string} path */
function isSource(path) {
  return /\.(ts|tsx|mjs|js|json|css|html|svg)$/.test(path) && !/\.test\.tsx?$/.test(path);
}
