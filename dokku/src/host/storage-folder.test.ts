import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { storageNameSchema } from '../commands/storage.ts';
import { argvFor } from '../ways.ts';
import { readRemoval, removableName, removeFolder } from './storage-folder.ts';

let root: string;
const ledger = storageNameSchema.parse('ledger');

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'homeport-storage-')));
  mkdirSync(join(root, 'lib/data/storage/ledger/deep'), { recursive: true });
  writeFileSync(join(root, 'lib/data/storage/ledger/deep/page'), 'kept?');
  mkdirSync(join(root, 'precious'));
  writeFileSync(join(root, 'precious/ledger'), 'kept');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function remove() {
  const command = removeFolder(ledger);
  const [file = '', ...words] = argvFor({ kind: 'root' }, command);
  const env = { ...process.env, DOKKU_LIB_ROOT: join(root, 'lib') };
  const { status, stdout, stderr } = spawnSync(file, words, { input: command.stdin, env, encoding: 'utf8' });
  return readRemoval({ exitCode: status, stdout, stderr });
}

test('removes the folder with everything in it, and an absent folder counts as removed', () => {
  mkdirSync(join(root, 'lib/data/storage/other'));
  expect(remove()).toBe('removed');
  expect(readdirSync(join(root, 'lib/data/storage'))).toEqual(['other']);
  expect(remove()).toBe('removed');
});

test('follows no link that another account planted: in the folder’s place, above it or in it', () => {
  const storage = join(root, 'lib/data/storage');
  symlinkSync(join(root, 'precious'), join(storage, 'ledger/deep/link'));
  expect(remove()).toBe('removed');
  symlinkSync(join(root, 'precious'), join(storage, 'ledger'));
  expect(remove()).toBe('link');
  rmSync(storage, { recursive: true });
  symlinkSync(join(root, 'precious'), storage);
  expect(remove()).toBe('link');
  rmSync(join(root, 'lib/data'), { recursive: true });
  mkdirSync(join(root, 'elsewhere/storage/ledger'), { recursive: true });
  symlinkSync(join(root, 'elsewhere'), join(root, 'lib/data'));
  expect(remove()).toBe('link');
  expect(existsSync(join(root, 'elsewhere/storage/ledger'))).toBe(true);
  expect(existsSync(join(root, 'precious/ledger'))).toBe(true);
});

test.each([
  ['/var/lib/dokku/data/storage/ledger', 'ledger'],
  ['/var/lib/dokku/data/storage', null],
  ['/var/lib/dokku/data/storage/', null],
  ['/var/lib/dokku/data/storage/..', null],
  ['/var/lib/dokku/data/storage/ledger/deep', null],
  ['/srv/ledger', null],
  ['ledger', null],
])('the folder %s has the removable name %s', (hostPath, name) => {
  expect(removableName(hostPath)).toBe(name);
});
