import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { tarGz } from './tar-gz.ts';

const files = [
  { path: 'empty', bytes: Buffer.alloc(0) },
  { path: '.hidden', bytes: Buffer.from('ahoy\n') },
  { path: 'one-block', bytes: Buffer.alloc(512, 'x') },
  { path: 'folder/page.html', bytes: Buffer.from('ünï') },
];

test('tar reads each file as it was', () => {
  const archive = tarGz('app', files);
  const tar = (...words: string[]) =>
    execFileSync('tar', ['-xzf', '-', ...words], { input: archive, encoding: 'utf8' });
  const names = execFileSync('tar', ['-tzf', '-'], { input: archive, encoding: 'utf8' }).trim().split('\n');
  expect(names).toEqual(files.map(({ path }) => `app/${path}`));
  for (const { path, bytes } of files) expect(tar('-O', `app/${path}`)).toBe(bytes.toString());
});

test('equal files make equal bytes', () => {
  expect(tarGz('app', files)).toEqual(tarGz('app', files));
});

test('refuses a name that the form cannot hold', () => {
  expect(() => tarGz('app', [{ path: 'a'.repeat(100), bytes: Buffer.alloc(0) }])).toThrow(RangeError);
});
