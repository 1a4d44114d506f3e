import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeText } from './files.ts';
import type { Paths } from './paths.ts';

/** Lets git use another user's folder, which it refuses by default (CVE-2022-24765): the accounts of a sandbox share its folders. */
export function gitEnvironment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
  };
}

/** The bare repository of an app, whose pre-receive hook deploys. Made at the first push, as Dokku does. */
export function ensureRepository(paths: Paths, app: string): string {
  const repository = paths.repository(app);
  if (!existsSync(join(repository, 'HEAD'))) {
    mkdirSync(repository, { recursive: true });
    git(['init', '--quiet', '--bare', '--initial-branch=master', repository]);
  }
  // Written each time, because the program may have moved since.
  const hook = `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(paths.program)} pre-receive ${app}\n`;
  writeText(join(repository, 'hooks/pre-receive'), hook, 0o755);
  return repository;
}

/** The commit of a branch. Null without one. */
export function commitOf(paths: Paths, app: string, branch: string): string | null {
  if (!existsSync(join(paths.repository(app), 'HEAD'))) return null;
  const found = git([
    `--git-dir=${paths.repository(app)}`,
    'rev-parse',
    '--verify',
    '--quiet',
    `refs/heads/${branch}`,
  ]);
  return found === '' ? null : found;
}

function git(words: readonly string[]): string {
  return spawnSync('git', words, { encoding: 'utf8', env: gitEnvironment() }).stdout.trim();
}
