// Reads from the sources which file imports which: relative imports, static and dynamic, types included.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from './install.mjs';

/** A test, or code that only tests use. These may import between two folders in both directions. */
const isTest = /\.(test|spec|testing)\.|\/testing\/|-fixtures?\.ts$/;

/** The paths of all rooms' source files, without files that only tests use. */
export function sourceFiles() {
  return codeFiles().filter((path) => !isTest.test(path));
}

/** Paths of the tests of every room, and of what only they use. */
export function testFiles() {
  return codeFiles().filter((path) => isTest.test(path));
}

function codeFiles() {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  return listed.split('\n').filter((path) => /\.(ts|tsx|mjs)$/.test(path) && existsSync(join(root, path)));
}

/**
 * The files that each file imports.
 *
 * @param {readonly string[]} files
 * @returns {ReadonlyMap<string, readonly string[]>}
 */
export function importGraph(files) {
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const paths = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^'?]+)/g)].map(([, specifier = '']) =>
        posix.join(posix.dirname(file), specifier),
      );
      return [file, paths.filter((path) => known.has(path))];
    }),
  );
}

/**
 * The files that import each file, in any room: also by a room's public name (`@homeport/store/testing`).
 *
 * @param {readonly string[]} files
 * @returns {ReadonlyMap<string, readonly string[]>}
 */
export function importersOf(files) {
  const known = new Set(files);
  /** @type {Map<string, string[]>} */
  const importers = new Map();
  for (const [file, own] of importGraph(files)) {
    const text = readFileSync(join(root, file), 'utf8');
    const others = [...text.matchAll(/'@homeport\/([^'?]+)'/g)].map(([, name = '']) => fileOfName(name));
    for (const path of [...own, ...others.filter((path) => known.has(path))])
      importers.set(path, [...(importers.get(path) ?? []), file]);
  }
  return importers;
}

/** @type {Map<string, Record<string, string>>} */
const exportsOfRooms = new Map();

/** The file behind a public name without `@homeport/`, or '' for a name that its room does not export. @param {string} name */
function fileOfName(name) {
  const [room = '', ...rest] = name.split('/');
  const manifest = join(root, room, 'package.json');
  if (!existsSync(manifest)) return '';
  const known = exportsOfRooms.get(room) ?? JSON.parse(readFileSync(manifest, 'utf8')).exports ?? {};
  exportsOfRooms.set(room, known);
  const asked = ['.', ...rest].join('/');
  for (const [pattern, target] of Object.entries(known)) {
    const [before = '', after] = pattern.split('*');
    if (after === undefined ? asked === pattern : asked.startsWith(before))
      return posix.join(room, String(target).replace('*', asked.slice(before.length)));
  }
  return '';
}

/**
 * Circles of sibling folders of one room, at any depth: folders of which each reaches every other one over imports. Each circle
 * has its folders, and one import for each step between two of them.
 *
 * @param {ReadonlyMap<string, readonly string[]>} graph
 */
export function circlesOfFolders(graph) {
  /** @type {Map<string, Map<string, string>>} */
  const steps = new Map();
  for (const [file, imported] of graph) {
    for (const path of imported) {
      const [from, to] = siblings(file, path);
      if (!from || !to) continue;
      const known = steps.get(from) ?? new Map();
      steps.set(from, known.set(to, known.get(to) ?? `${file} -> ${path}`));
    }
  }
  const reached = new Map([...steps.keys()].map((folder) => [folder, reachedBy(folder, steps)]));
  const inCircle = (/** @type {string} */ one, /** @type {string} */ other) =>
    reached.get(one)?.has(other) && reached.get(other)?.has(one);
  /** @type {Set<string>} */
  const done = new Set();
  return [...steps.keys()].flatMap((folder) => {
    if (done.has(folder) || !inCircle(folder, folder)) return [];
    const folders = [...steps.keys()].filter((other) => inCircle(folder, other)).toSorted();
    for (const each of folders) done.add(each);
    const imports = folders.flatMap((from) =>
      [...(steps.get(from) ?? [])].filter(([to]) => folders.includes(to)).map(([, example]) => example),
    );
    return [{ folders, imports }];
  });
}

/**
 * The folders that one reaches by one or more steps.
 *
 * @param {string} folder
 * @param {ReadonlyMap<string, ReadonlyMap<string, string>>} steps
 */
function reachedBy(folder, steps) {
  const found = new Set(steps.get(folder)?.keys());
  for (const each of found) for (const next of steps.get(each)?.keys() ?? []) found.add(next);
  return found;
}

/**
 * The two sibling folders of one room that hold one file each. Empty when one of the files is itself beside the other's folder.
 *
 * @param {string} one
 * @param {string} other
 */
function siblings(one, other) {
  const [a, b] = [one.split('/'), other.split('/')];
  const depth = a.findIndex((part, at) => part !== b[at]);
  const inFolders = depth >= 1 && depth < a.length - 1 && depth < b.length - 1;
  return inFolders ? [a.slice(0, depth + 1).join('/'), b.slice(0, depth + 1).join('/')] : [];
}
