import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupFailed } from '@homeport/api';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/console-process.ts';
import { openCopies } from './copies.ts';

const content = 'a backup';
const sha256 = createHash('sha256').update(content).digest('hex');

let temporary: Awaited<ReturnType<typeof temporaryFolder>>;
let env: NodeJS.ProcessEnv;
const at = (...parts: string[]) => join(temporary.path, ...parts);
beforeEach(async () => {
  temporary = await temporaryFolder();
  await writeFile(at('rclone.conf'), `[box]\ntype = alias\nremote = ${at('far')}\n`);
  await writeFile(at('homeport-a.age'), content);
  await mkdir(at('far'));
  env = { PATH: process.env.PATH, HOME: temporary.path, RCLONE_CONFIG: at('rclone.conf') };
});
afterEach(() => temporary[Symbol.asyncDispose]());

const copiesTo = (target: string, given = env) => openCopies({ target, folder: temporary.path, env: given });

/** A program of this name in front of the others, which notes its arguments. */
async function replaceRclone(script: string): Promise<void> {
  await mkdir(at('bin'));
  await writeFile(at('bin/rclone'), `#!/bin/sh\nprintf '%s\\n' "$@" >'${at('argv')}'\n${script}\n`);
  await chmod(at('bin/rclone'), 0o755);
  env = { ...env, PATH: `${at('bin')}:${process.env.PATH}` };
}

test('a copy is one file of the same name, is read again to its end, and goes again', async () => {
  const copies = copiesTo('box:consoles/one', env);
  await copies.put('homeport-a.age');
  expect(await readFile(at('far/consoles/one/homeport-a.age'), 'utf8')).toBe(content);
  expect(await copies.isIntact('homeport-a.age', sha256)).toBe(true);
  await writeFile(at('far/consoles/one/homeport-a.age'), 'A backup');
  expect(await copies.isIntact('homeport-a.age', sha256)).toBe(false);
  const { atime, mtime } = await stat(at('homeport-a.age'));
  await utimes(at('far/consoles/one/homeport-a.age'), atime, mtime);
  await copies.put('homeport-a.age');
  expect(await copies.isIntact('homeport-a.age', sha256)).toBe(true);
  await writeFile(at('far/consoles/one/homeport-b.age'), 'another');
  await copies.remove('homeport-a.age');
  expect(await readdir(at('far/consoles/one'))).toEqual(['homeport-b.age']);
  await copies.remove('homeport-a.age');
  expect(await readdir(at('far/consoles/one'))).toEqual(['homeport-b.age']);
  await copiesTo('box:consoles/none').remove('homeport-a.age');
  await expect(copies.isIntact('homeport-a.age', sha256)).rejects.toBeInstanceOf(BackupFailed);
});

test('a remote that rclone does not know is said in its words', async () => {
  const failed = copiesTo('other:x', env).put('homeport-a.age');
  await expect(failed).rejects.toBeInstanceOf(BackupFailed);
  await expect(failed).rejects.toThrow(/rclone ended with \d+: .*other/);
});

test('a machine without rclone is said so', async () => {
  const copies = copiesTo('box:', { ...env, PATH: at('nothing') });
  await expect(copies.put('homeport-a.age')).rejects.toThrow('rclone is not installed');
});

test('what rclone says is one line without control characters, and bounded', async () => {
  await replaceRclone(
    `printf '2026/11/28 00:00:00 first\\n2026/11/28 00:00:01 \\033[31m%0500d' 7 >&2; exit 1`,
  );
  const said = await copiesTo('box:x', env)
    .put('homeport-a.age')
    .catch((error: Error) => error.message);
  expect(said).toMatch(/^rclone ended with 1: \[31m0+$/);
  expect(said).toHaveLength('rclone ended with 1: '.length + 300);
});

test('names are words of their own after --', async () => {
  await replaceRclone('exit 0');
  await copiesTo('box:x', env).put('homeport-a.age');
  const argv = (await readFile(at('argv'), 'utf8')).trim().split('\n');
  expect(argv.slice(argv.indexOf('--'))).toEqual(['--', at('homeport-a.age'), 'box:x/homeport-a.age']);
  expect(argv[0]).toBe('copyto');
});

test('the end of the console ends a copy', async () => {
  await replaceRclone('exec sleep 600');
  const copies = copiesTo('box:x', env);
  const put = copies.put('homeport-a.age').catch((error: Error) => error.message);
  await expect.poll(() => readFile(at('argv'), 'utf8').catch(() => '')).toContain('copyto');
  await copies.close();
  expect(await put).toContain('SIGTERM');
});
