import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { dropKeptMark } from '../clusters/kept-mark.ts';
import { finishSwitch } from '../clusters/switch-clusters.ts';
import { StoreError } from '../store-error.ts';
import { type Account, unprivilegedAccount } from './account.ts';
import { findBinaries } from './binaries.ts';
import { boundLog } from './bound-log.ts';
import { ensureCluster, superuser } from './cluster.ts';
import { takeConsoleLock } from './console-lock.ts';
import { endWithConsole } from './end-with-console.ts';
import { type Folders, prepareFolders } from './folders.ts';
import { isPostgres } from './is-postgres.ts';
import { keepRunning } from './keep-running.ts';
import { endChild, justStarting, launch, notAnswering, pollMs, startWithinMs } from './launch.ts';
import type { Binaries } from './named-programs.ts';
import { readPostmaster } from './postmaster-file.ts';
import { settingsOf } from './settings.ts';

const lookAtLogMs = 60_000;

export type EmbeddedServer = {
  /** The folder of the unix socket by which a client connects. There is no TCP port. */
  socketFolder: string;
  user: string;
  /** The process id of the server that runs now. A server that ended by itself is replaced by a new one. */
  readonly pid: number;
  /** Settles when the server ended although nobody stopped it, and cannot be brought back. */
  lost: Promise<StoreError>;
  /** A fast shutdown: sessions end, and everything saved is on disk. Close pools first. */
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  /** The console's data folder. It is made if it is missing. */
  dataFolder: string;
  /** The folder of other programs of PostgreSQL than those that Homeport brings. */
  programs?: string | undefined;
  /** Overrides of `serverSettings`, for tests. */
  settings?: Record<string, string>;
  /** Called when the server ended by itself and is brought back. */
  report?: (error: StoreError) => void;
  /** As `StoreOptions.waiting`. */
  waiting?: (() => void) | undefined;
};

/**
 * Stops a server that a killed console left behind, starts PostgreSQL on the data folder and locks the folder for this
 * process. Throws `StoreError`.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const account = await unprivilegedAccount();
  const folders = await prepareFolders(options.dataFolder, account);
  await stopLeftover(folders);
  const binaries = await findBinaries(folders.copies, account, options.programs);
  await finishSwitch(folders, { now: Date.now(), programsMajor: binaries.major });
  await ensureCluster(folders.cluster, binaries, account);
  await dropKeptMark(folders.cluster);
  return runServer({ folders, binaries, account }, options);
}

export type OnCluster = {
  folders: Folders;
  binaries: Binaries;
  account: Account | undefined;
};

/** Starts the server on a cluster of its own major version, which nobody runs. Throws `StoreError`. */
export async function runServer(
  { folders, binaries, account }: OnCluster,
  options: Pick<EmbeddedOptions, 'settings' | 'report' | 'waiting'>,
): Promise<EmbeddedServer> {
  const settings = {
    ...settingsOf(binaries.major),
    ...options.settings,
    unix_socket_directories: folders.socket,
  };
  const takeLock = () => takeConsoleLock(folders.socket, folders.data);
  const kept = await keepRunning({
    folders,
    takeLock,
    report: options.report ?? (() => {}),
    async begin(stopping) {
      const child = await launch({ folders, binaries, account, settings, stopping, begun: options.waiting });
      const lock = await takeLock().catch(async (error: unknown) => {
        await endChild(child);
        throw error;
      });
      const pid = child.pid;
      if (pid !== undefined) child.once('exit', endWithConsole(pid, account));
      return { child, lock };
    },
  }).catch((error: unknown) => {
    // Another console that started at the same moment took this server for a leftover, before this one held the lock.
    throw error instanceof StoreError ? error : justStarting(folders, error);
  });
  // A disk that is full now may have space again at the next look.
  const look = setInterval(() => void boundLog(folders.log).catch(() => {}), lookAtLogMs);
  look.unref();
  return {
    socketFolder: folders.socket,
    user: superuser,
    get pid() {
      return kept.pid();
    },
    lost: kept.lost,
    async stop() {
      clearInterval(look);
      await kept.stop();
    },
  };
}

/** Stops a server whose console has ended. This process proves that by taking the console's lock on the running server. */
export async function stopLeftover(folders: Folders): Promise<void> {
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

async function untilGone(pid: number, deadline: number): Promise<void> {
  while (await isPostgres(pid)) {
    if (Date.now() > deadline) process.kill(pid, 'SIGQUIT');
    await pause(pollMs);
  }
}
