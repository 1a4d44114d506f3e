import { type ChildProcess, spawn } from 'node:child_process';
import type { Account } from './account.ts';

/**
 * Ends PostgreSQL when this process ends, however that happens: a shell waits at a pipe that only this process holds, and
 * asks for a fast shutdown when the pipe closes. PostgreSQL itself notices nothing (it has a session of its own).
 * Call what is returned once PostgreSQL has ended, before its number can be another process's.
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
  // Without a shell PostgreSQL outlives a killed console, and the next start takes it over.
  waits.on('error', () => {});
  waits.stdin?.on('error', () => {});
  waits.unref();
  return () => waits.kill('SIGKILL');
}
