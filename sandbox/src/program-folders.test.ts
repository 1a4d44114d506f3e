import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { programFolders } from './program-folders.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'program-folders-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const folderWith = (...names: string[]) => {
  const folder = join(root, names.join('-'));
  mkdirSync(folder);
  for (const name of names)
    writeFileSync(join(folder, name), `#!/bin/sh\necho ${name} of the machine\n`, { mode: 0o755 });
  return folder;
};

test('a real Dokku of the machine is not found, and its neighbours are', () => {
  const real = folderWith('dokku', 'lantern');
  const PATH = `${programFolders(root, [real]).join(':')}:/bin`;
  const say = (name: string) =>
    execFileSync('/bin/sh', ['-c', `command -v ${name} >/dev/null && ${name} || echo none`], {
      env: { PATH },
      encoding: 'utf8',
    });
  expect(say('dokku')).toBe('none\n');
  expect(say('lantern')).toBe('lantern of the machine\n');
});

test('folders without a real Dokku, and folders that are not there, stay as they are', () => {
  const plain = folderWith('lantern');
  const missing = join(root, 'missing');
  expect(programFolders(root, [plain, missing])).toEqual([plain, missing]);
});
