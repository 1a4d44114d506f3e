import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fchownSync, openSync } from 'node:fs';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { diskFull, outOfSpace, StoreError } from '../store-error.ts';
import { type Account, unprivilegedAccount } from './account.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { ensureCluster, isAlive, superuser } from './cluster.ts';
import { takeConsoleLock } from './console-lock.ts';
import { endWithConsole } from './end-with-console.ts';
import { type Folders, lacksSpace, prepareFolders } from './folders.ts';
import { readPostmaster } from './postmaster-file.ts';
import { asArguments, serverSettings } from './settings.ts';

export type EmbeddedServer = {
  /** The folder of the unix socket by which a client connects. There is no TCP port. */
  socketFolder: string;
  user: string;
  /** The process id of the server that runs now. A server that ended because the disk was full is replaced by a new one. */
  readonly pid: number;
  /** Settles when the server ends although nobody stopped it, for another reason than a full disk. */
  lost: Promise<StoreError>;
  /** A fast shutdown: sessions end, and everything saved is on disk. Close pools first. */
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  /** The console's data folder. It is made if it is missing. */
  dataFolder: string;
  /** Overrides of `serverSettings`, for tests. */
  settings?: Record<string, string>;
  /** Called when the server ended because the disk is full and now waits for space. */
  report?: (error: StoreError) => void;
};

const startWithinMs = 60_000;
const stopWithinMs = 20_000;
const pollMs = 10;
const lookForSpaceMs = 500;
const logKeptBytes = 4 * 1024 * 1024;

/**
 * Stops a server that a killed console left behind, starts PostgreSQL on the data folder and locks the folder for this
 * process. Throws `StoreError`.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const account = await unprivilegedAccount();
  const folders = await prepareFolders(options.dataFolder, account);
  await stopLeftover(folders);
  const binaries = await findBinaries(folders.copies, account);
  await ensureCluster(folders.cluster, binaries, account);

  const settings = { ...serverSettings, ...options.settings, unix_socket_directories: folders.socket };
  const begin = async () => {
    const child = await launch(folders, binaries, account, settings);
    const lock = await takeConsoleLock(folders.socket, folders.data).catch(async (error: unknown) => {
      await endChild(child);
      // Another console that started at the same moment took this server for a leftover, before this one held the lock.
      throw error instanceof StoreError ? error : justStarting(folders, error);
    });
    const pid = child.pid;
    if (pid !== undefined) child.once('exit', endWithConsole(pid, account));
    return { child, lock };
  };

  let running = await begin();
  let reviving: Promise<void> = Promise.resolve();
  const stopping = new AbortController();
  const lost = new Promise<StoreError>((resolve) => {
    const watch = () =>
      running.child.once('exit', (code, signal) => {
        if (stopping.signal.aborted) return;
        const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
        reviving = revive(how).catch((error: unknown) =>
          resolve(error instanceof StoreError ? error : ended(how, folders)),
        );
      });
    /**
     * When the write-ahead log finds no space, PostgreSQL stops at once. When it cannot recover either, it ends
     * (https://www.postgresql.org/docs/18/wal-configuration.html). With space again it recovers everything that was saved.
     */
    const revive = async (how: string): Promise<void> => {
      if (!(await lacksSpace(folders.data))) throw ended(how, folders);
      options.report?.(outOfSpace(folders.data));
      while (!stopping.signal.aborted) {
        await pause(lookForSpaceMs, undefined, { signal: stopping.signal }).catch(() => {});
        if (stopping.signal.aborted || (await lacksSpace(folders.data))) continue;
        try {
          running = await begin();
          watch();
          return;
        } catch (error) {
          if (!(await lacksSpace(folders.data))) throw error;
        }
      }
    };
    watch();
  });
  return {
    socketFolder: folders.socket,
    user: superuser,
    get pid() {
      return running.child.pid ?? 0;
    },
    lost,
    async stop() {
      if (stopping.signal.aborted) return;
      stopping.abort();
      await reviving;
      await running.lock.end().catch(() => {});
      await endChild(running.child);
    },
  };
}

function ended(how: string, folders: Folders): StoreError {
  return new StoreError(
    'unreachable',
    `PostgreSQL ${how}.`,
    `Start Homeport again: everything saved is kept. PostgreSQL’s log is ${folders.log}.`,
  );
}

/** Stops a server whose console has ended. This process proves that by taking the console's lock on the running server. */
async function stopLeftover(folders: Folders): Promise<void> {
  const deadline = Date.now() + startWithinMs;
  for (;;) {
    const found = await readPostmaster(folders.cluster);
    if (!found || !(await isPostgres(found.pid))) return;
    const lock: pg.Client | undefined = await takeConsoleLock(folders.socket, folders.data).catch(
      (error: unknown) => {
        if (error instanceof StoreError) throw error;
        // The server still starts, still stops, or ended between the two checks.
        return undefined;
      },
    );
    if (lock) {
      process.kill(found.pid, 'SIGINT');
      await lock.end().catch(() => {});
      await untilGone(found.pid, deadline);
      return;
    }
    if (Date.now() > deadline) throw notAnswering(found.pid, folders);
    await pause(pollMs);
  }
}

/**
 * Whether this process is a running PostgreSQL. After a reboot the number in a file may be any other program's. A killed
 * process keeps its number, without a command line, until its parent collects its exit code.
 */
async function isPostgres(pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.split('\0')[0]?.endsWith('postgres') ?? false;
}

async function untilGone(pid: number, deadline: number): Promise<void> {
  while (await isPostgres(pid)) {
    if (Date.now() > deadline) process.kill(pid, 'SIGQUIT');
    await pause(pollMs);
  }
}

/** Starts and waits until the server accepts sessions. Sessions of a killed postmaster may take a moment to end, so a start is tried again. */
async function launch(
  folders: Folders,
  binaries: Binaries,
  account: Account | undefined,
  settings: Record<string, string>,
): Promise<ChildProcess> {
  const deadline = Date.now() + startWithinMs;
  await dropStale(join(folders.cluster, 'postmaster.pid'));
  await dropStale(join(folders.socket, '.s.PGSQL.5432.lock'));
  for (;;) {
    const logFrom = await trimLog(folders.log);
    const child = spawnServer(folders, binaries, account, settings);
    const exited = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
    while (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      const postmaster = await readPostmaster(folders.cluster);
      if (postmaster?.pid === child.pid && postmaster?.ready) return child;
      if (Date.now() > deadline) {
        await endChild(child);
        throw notAnswering(child.pid, folders);
      }
      await Promise.race([exited, pause(pollMs)]);
    }
    const said = await readFrom(folders.log, logFrom);
    if (!said.includes('is still in use') || Date.now() > deadline) throw whyNot(said, folders);
    await pause(pollMs * 5);
  }
}

function spawnServer(
  folders: Folders,
  binaries: Binaries,
  account: Account | undefined,
  settings: Record<string, string>,
): ChildProcess {
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

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  // SIGINT is PostgreSQL's fast shutdown, SIGQUIT the immediate one, from which the next start recovers.
  child.kill('SIGINT');
  const late = setTimeout(() => child.kill('SIGQUIT'), stopWithinMs);
  await ended;
  clearTimeout(late);
}

async function trimLog(log: string): Promise<number> {
  const size = await stat(log).then(
    (found) => found.size,
    () => 0,
  );
  if (size < logKeptBytes) return size;
  await rm(log);
  return 0;
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

function justStarting(folders: Folders, cause?: unknown): StoreError {
  return new StoreError(
    'second_console',
    `Another Homeport is just starting on the data folder ${folders.data}.`,
    'Use that console, or give this one a folder and a port of its own with --data and --port.',
    cause,
  );
}

function notAnswering(pid: number, folders: Folders): StoreError {
  return new StoreError(
    'start_failed',
    `PostgreSQL (process ${pid}) on ${folders.cluster} does not answer.`,
    `Read ${folders.log}. End that process if it hangs, then start Homeport again.`,
  );
}
