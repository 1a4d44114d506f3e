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
 * Pairs of sibling folders of one room, at any depth, that import each other. Each pair has one import of either direction.
 *
 * @param {ReadonlyMap<string, readonly string[]>} graph
 */
export function siblingsThatImportEachOther(graph) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const [file, imported] of graph) {
    for (const path of imported) {
      const [from, to] = siblings(file, path);
      if (from && to) found.set(`${from} -> ${to}`, `${file} -> ${path}`);
    }
  }
  return [...found].flatMap(([pair, there]) => {
    const [from = '', to = ''] = pair.split(' -> ');
    const back = found.get(`${to} -> ${from}`);
    return back !== undefined && from < to ? [{ folders: [from, to], there, back }] : [];
  });
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
