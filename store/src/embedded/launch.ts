import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fchownSync, openSync } from 'node:fs';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { diskFull, StoreError } from '../store-error.ts';
import type { Account } from './account.ts';
import { boundLog } from './bound-log.ts';
import type { Folders } from './folders.ts';
import { isPostgres } from './is-postgres.ts';
import { endLeftBackends } from './left-backends.ts';
import type { Binaries } from './named-programs.ts';
import { readPostmaster } from './postmaster-file.ts';
import { asArguments } from './settings.ts';

export const startWithinMs = 60_000;
export const pollMs = 10;
const stopWithinMs = 20_000;
/** An idle session of a killed server ends at once. Later than this the others are asked to end, and then are killed. */
const idleEndsWithinMs = 300;
const busyEndsWithinMs = 2_000;

export type Launching = {
  folders: Folders;
  binaries: Binaries;
  account: Account | undefined;
  settings: Record<string, string>;
  /** Gives the start up. */
  stopping: AbortSignal;
  /** Called when the server’s process has begun and is not ready yet. */
  begun?: (() => void) | undefined;
};

/**
 * Starts and waits until the server accepts sessions. PostgreSQL refuses to start while sessions of a killed server still use the
 * cluster. They end by themselves when they are idle, and a busy one is ended.
 */
export async function launch(launching: Launching): Promise<ChildProcess> {
  const { folders, stopping } = launching;
  const begunAt = Date.now();
  const deadline = begunAt + startWithinMs;
  await dropStale(join(folders.cluster, 'postmaster.pid'));
  await dropStale(join(folders.socket, '.s.PGSQL.5432.lock'));
  for (;;) {
    const logFrom = await endOfLog(folders.log);
    const child = spawnServer(launching);
    launching.begun?.();
    const exited = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
    while (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      const postmaster = await readPostmaster(folders.cluster);
      if (postmaster?.pid === child.pid && postmaster?.ready) return child;
      if (stopping.aborted) {
        await endChild(child);
        throw new Error('The start of PostgreSQL was given up, because the console ends.');
      }
      if (Date.now() > deadline) {
        await endChild(child);
        throw notAnswering(child.pid, folders);
      }
      await Promise.race([exited, pause(pollMs)]);
    }
    const said = await readFrom(folders.log, logFrom);
    if (!said.includes('is still in use') || Date.now() > deadline) throw whyNot(said, folders);
    stopping.throwIfAborted();
    const waitedMs = Date.now() - begunAt;
    if (waitedMs > idleEndsWithinMs)
      await endLeftBackends(folders.cluster, waitedMs > busyEndsWithinMs ? 'SIGKILL' : 'SIGQUIT');
    await pause(pollMs * 5);
  }
}

function spawnServer({ folders, binaries, account, settings }: Launching): ChildProcess {
  // The log goes to a file, because a server that outlives the console would fail at a closed pipe.
  const log = openSync(folders.log, 'a', 0o600);
  if (account) fchownSync(log, account.uid, account.gid);
  const child = spawn(binaries.postgres, ['-D', folders.cluster, ...asArguments(settings)], {
    env: binaries.env,
    cwd: '/',
    stdio: ['ignore', log, log],
    // A terminal's Ctrl-C goes to the whole process group, and the server has to outlive the pools that use it.
    detached: true,
    ...(account && { uid: account.uid, gid: account.gid }),
  });
  child.on('error', () => {});
  closeSync(log);
  return child;
}

/** Removes a stale lock file. PostgreSQL would take any process of its own account for the file's writer, even one with a reused number. */
async function dropStale(lockFile: string): Promise<void> {
  const text = await readFile(lockFile, 'utf8').catch(() => '');
  const pid = Math.abs(Number.parseInt(text, 10));
  if (pid > 0 && !(await isPostgres(pid))) await rm(lockFile, { force: true });
}

export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  // SIGINT is PostgreSQL's fast shutdown, SIGQUIT the immediate one, from which the next start recovers.
  child.kill('SIGINT');
  const late = setTimeout(() => child.kill('SIGQUIT'), stopWithinMs);
  await ended;
  clearTimeout(late);
}

/** Where the log of the start that comes now begins. */
async function endOfLog(log: string): Promise<number> {
  await boundLog(log);
  return stat(log).then(
    (found) => found.size,
    () => 0,
  );
}

async function readFrom(log: string, from: number): Promise<string> {
  const file = await open(log).catch(() => undefined);
  if (!file) return '';
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16_384), 0, 16_384, from);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function whyNot(said: string, folders: Folders): StoreError {
  if (said.includes('No space left on device')) return diskFull(folders.data);
  if (said.includes('lock file "postmaster.pid" already exists')) {
    return justStarting(folders);
  }
  return new StoreError(
    'start_failed',
    `PostgreSQL did not start:\n${said.trim().split('\n').slice(-6).join('\n') || 'PostgreSQL printed nothing.'}`,
    `PostgreSQL’s whole log is ${folders.log}.`,
  );
}

export function justStarting(folders: Folders, cause?: unknown): StoreError {
  return new StoreError(
    'second_console',
    `Another Homeport is just starting on the data folder ${folders.data}.`,
    'Use that console, or give this one a folder and a port of its own with --data and --port.',
    cause,
  );
}

export function notAnswering(pid: number, folders: Folders): StoreError {
  return new StoreError(
    'start_failed',
    `PostgreSQL (process ${pid}) on ${folders.cluster} does not answer.`,
    `Read ${folders.log}. End that process if it hangs, then start Homeport again.`,
  );
}
