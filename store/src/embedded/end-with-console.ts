import { type ChildProcess, spawn } from 'node:child_process';
import type { Account } from './account.ts';

/**
 * Ends PostgreSQL when this process ends, however that happens. PostgreSQL would not notice, because it has a session of its
 * own. So a shell waits at a pipe that only this process holds, and asks for a fast shutdown when the pipe closes. Call the
 * returned function once PostgreSQL has ended, before another process can get PostgreSQL's number.
 */
export function endWithConsole(postmaster: number, account: Account | undefined): () => void {
  const waits: ChildProcess = spawn(
    '/bin/sh',
    ['-c', 'while read -r _; do :; done; kill -INT "$1"', 'homeport-end-with-console', String(postmaster)],
    {
      stdio: ['pipe', 'ignore', 'ignore'],
      cwd: '/',
      detached: true,
      ...(account && { uid: account.uid, gid: account.gid }),
    },
  );
  // Without a shell PostgreSQL outlives a killed console, and the next start stops it.
  waits.on('error', () => {});
  waits.stdin?.on('error', () => {});
  waits.unref();
  return () => waits.kill('SIGKILL');
}
