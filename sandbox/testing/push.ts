import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { quoteArgv } from '@homeport/contract/quoting';
import type { SandboxHost } from '../src/index.ts';

/** Texts by their paths. */
export type Files = Readonly<Record<string, string>>;

/** Pushes by real git through the forced command of a key, as `dokku@host` would run it. Returns git's exit code. */
export function pushByGit(host: SandboxHost, app: string, files: Files): number | null {
  return spawnSync(...pushing(host, app, files)).status;
}

/** The same, without waiting for its end. */
export function startPushByGit(host: SandboxHost, app: string, files: Files): void {
  const [program, words, options] = pushing(host, app, files);
  spawn(program, words, { ...options, stdio: 'ignore', detached: true }).unref();
}

function pushing(host: SandboxHost, app: string, files: Files) {
  const work = mkdtempSync(join(host.root, 'push-'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(work, file)), { recursive: true });
    writeFileSync(join(work, file), text);
  }
  const ssh = join(host.root, `ssh-${basename(work)}`);
  const key = quoteArgv([join(host.root, 'bin/dokku-key'), 'alice']);
  // git's call is `<program> <host> <command>` (GIT_SSH, git(1)).
  writeFileSync(ssh, `#!/bin/sh\nSSH_ORIGINAL_COMMAND=$2 exec ${key}\n`, { mode: 0o755 });
  const env = {
    ...process.env,
    ...host.env,
    GIT_SSH: ssh,
    GIT_SSH_VARIANT: 'simple',
    GIT_CONFIG_GLOBAL: '/dev/null',
  };
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
  for (const words of [
    ['init', '--quiet', '--initial-branch=main'],
    ['add', '.'],
    ['commit', '--quiet', '-m', 'first'],
  ])
    spawnSync('git', [...who, ...words], { cwd: work, env });
  const words = [...who, 'push', '--quiet', '--force', `dokku@sandbox:${app}`, 'main'];
  return ['git', words, { cwd: work, env, timeout: 60_000 }] as const;
}
