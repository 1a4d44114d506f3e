import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readMigrations } from '@homeport/store';
import { expect, it, vi } from 'vitest';
import { buildServer, startConsoleProcess, temporaryFolder } from '../testing/console-process.ts';
import { commit, commitOfCheckout, version } from './version.ts';

vi.setConfig({ testTimeout: 120_000 });

function git(folder: string, ...argv: string[]): string {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  const { status, stdout, stderr } = spawnSync('git', ['-C', folder, ...who, ...argv], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

it('knows the commit of a checkout, of a worktree, of packed and of no branch', async () => {
  await using folder = await temporaryFolder();
  const checkout = join(folder.path, 'checkout');
  expect(commitOfCheckout(folder.path)).toBe(null);
  git(folder.path, 'init', '--quiet', checkout);
  expect(commitOfCheckout(checkout)).toBe(null);
  git(checkout, 'commit', '--quiet', '--allow-empty', '--message', 'one');
  const commit = git(checkout, 'rev-parse', 'HEAD');
  expect(commitOfCheckout(checkout)).toBe(commit);
  const beside = join(folder.path, 'beside');
  git(checkout, 'worktree', 'add', '--quiet', '-b', 'other', beside);
  expect(commitOfCheckout(beside)).toBe(commit);
  git(checkout, 'pack-refs', '--all');
  expect(commitOfCheckout(checkout)).toBe(commit);
  git(checkout, 'checkout', '--quiet', '--detach');
  expect(commitOfCheckout(checkout)).toBe(commit);
});

it('says the commit of the sources that it runs from', () => {
  expect(commit).toBe(commitOfCheckout(fileURLToPath(new URL('../../', import.meta.url))));
});

it('prints the versions as JSON for programs', async () => {
  buildServer();
  const { ended, output } = startConsoleProcess(['version', '--json']);
  expect(await ended).toBe(0);
  expect(JSON.parse(output())).toMatchObject({
    version,
    node: process.versions.node,
    postgres: expect.stringMatching(/^\d+\.\d+$/),
    schema: (await readMigrations()).at(-1)?.number,
  });
  const plain = startConsoleProcess(['version']);
  expect(await plain.ended).toBe(0);
  expect(plain.output()).toBe(`${version}\n`);
});
