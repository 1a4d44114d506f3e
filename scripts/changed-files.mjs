import { spawnSync } from 'node:child_process';
import { root } from './install.mjs';

/**
 * The paths, from the repository's root, of files that are new, or that differ from the last commit that the upstream branch has
 * (without an upstream: from the last commit).
 */
export function changedFiles() {
  const upstream = git('merge-base', 'HEAD', '@{upstream}')[0];
  const base = upstream ?? 'HEAD';
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
}

/** The lines that git prints. None when git fails. @param {string[]} args */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : [];
}
