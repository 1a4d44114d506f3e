// The first steps of `npm start`, `npm test` and the build. They use plain Node, because nothing is installed yet.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Ends the process with a plain message when this Node is older than package.json requires. An older Node would fail later, in a
 * library, with an obscure message.
 */
export function requireNode() {
  const wanted = readJson('package.json').engines.node.replace('>=', '');
  if (isOlder(process.versions.node, wanted)) {
    console.error(
      `Homeport needs Node ${wanted} or later; this is ${process.versions.node} (${process.execPath}).`,
    );
    process.exit(1);
  }
}

/**
 * Runs `npm ci` unless node_modules already holds the packages of package-lock.json. npm writes its hidden lockfile last, so an
 * interrupted installation is noticed and repeated.
 *
 * @param {{ production?: boolean }} [want] With `production`, packages for development may be missing.
 */
export function ensureInstalled({ production = false } = {}) {
  requireNode();
  if (isInstalled(production)) return;
  console.log('Installing the packages of package-lock.json (npm ci)');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) {
    console.error('npm ci failed; npm’s own message stands above. Fix the cause and run this again.');
    process.exit(1);
  }
}

/** @param {boolean} production */
function isInstalled(production) {
  const wanted = readJson('package-lock.json').packages;
  let installed;
  try {
    installed = readJson('node_modules/.package-lock.json').packages;
  } catch {
    return false;
  }
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || isLeftOut(entry, production)) return true;
    return installed[path]?.version === entry.version && installed[path]?.integrity === entry.integrity;
  });
}

/**
 * Whether a package may be missing. Binaries of other platforms are in the lockfile and never in node_modules.
 *
 * @param {{ optional?: boolean, dev?: boolean, devOptional?: boolean }} entry
 * @param {boolean} production
 */
function isLeftOut(entry, production) {
  return Boolean(entry.optional || (production && (entry.dev || entry.devOptional)));
}

/** @param {string} path below the repository */
function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

/** @param {string} version @param {string} wanted */
function isOlder(version, wanted) {
  const order = new Intl.Collator('en', { numeric: true });
  return order.compare(version, wanted) < 0;
}
