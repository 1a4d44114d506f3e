import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { outOfSpace, StoreError } from '../store-error.ts';
import { type Folders, lacksSpace } from './folders.ts';
import { endChild } from './launch.ts';

/** A server, and the lock by which this process holds the data folder. */
type Running = { child: ChildProcess; lock: pg.Client };

type KeepOptions = {
  folders: Folders;
  /** Starts a server and locks the data folder. `stopping` gives the start up. */
  begin(stopping: AbortSignal): Promise<Running>;
  /** Locks the data folder on the server that runs. */
  takeLock(): Promise<pg.Client>;
  /** Called when the server ended by itself and is brought back. */
  report(error: StoreError): void;
};

export type KeptServer = {
  pid(): number;
  /** Settles when the server ended by itself and cannot be brought back. */
  lost: Promise<StoreError>;
  stop(): Promise<void>;
};

/** So often in a row a server is begun anew that does not start, or ends again before it has lived `healthyMs`. */
export const triesInARow = 5;
const healthyMs = 60_000;
/** The first try comes at once. The pause before a further one doubles each time. */
const firstPauseMs = 100;
const lookForSpaceMs = 500;
const lockAgainMs = 200;

/**
 * Begins a server and brings it back when it ends by itself. It recovers everything that was saved from the write-ahead log
 * (https://www.postgresql.org/docs/18/wal-intro.html).
 */
export async function keepRunning({ folders, begin, takeLock, report }: KeepOptions): Promise<KeptServer> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let giveUp: (error: StoreError) => void = () => {};
  const lost = new Promise<StoreError>((resolve) => {
    giveUp = resolve;
  });
  let running = await begin(signal);
  let reviving: Promise<void> = Promise.resolve();
  let tries = 0;

  const rest = (ms: number) => pause(ms, undefined, { signal }).catch(() => {});

  function watch(): void {
    const { child } = running;
    const begunAt = performance.now();
    const ended = (code: number | null, by: NodeJS.Signals | null) => {
      if (signal.aborted) return;
      if (performance.now() - begunAt > healthyMs) tries = 0;
      const how = by ? `was ended by ${by}` : `ended with code ${code}`;
      reviving = revive(how).catch((error: unknown) =>
        giveUp(error instanceof StoreError ? error : notBack(how, folders, error)),
      );
    };
    keepLock();
    if (isUp(child)) child.once('exit', ended);
    else ended(child.exitCode, child.signalCode);
  }

  async function revive(how: string): Promise<void> {
    let failure: unknown;
    let isWaiting = false;
    report(comesBack(how, folders));
    while (!signal.aborted) {
      // When the write-ahead log finds no space, PostgreSQL ends, and can recover only when there is space again
      // (https://www.postgresql.org/docs/18/wal-configuration.html).
      if (await lacksSpace(folders.data)) {
        if (!isWaiting) report(outOfSpace(folders.data));
        isWaiting = true;
        tries = 0;
        await rest(lookForSpaceMs);
        continue;
      }
      if (tries >= triesInARow) throw notBack(how, folders, failure);
      if (tries > 0) await rest(firstPauseMs * 2 ** (tries - 1));
      if (signal.aborted) return;
      tries += 1;
      try {
        running = await begin(signal);
        return watch();
      } catch (error) {
        if (error instanceof StoreError && error.code === 'second_console') throw error;
        failure = error;
      }
    }
  }

  /** A killed session makes PostgreSQL end every other one too. The lock ends with them, although the server goes on. */
  function keepLock(): void {
    const { child, lock } = running;
    lock.once('end', () => void lockAgain(child));
  }

  async function lockAgain(child: ChildProcess): Promise<void> {
    while (!signal.aborted && isUp(child)) {
      const lock = await takeLock().catch(() => undefined);
      if (lock === undefined) {
        await rest(lockAgainMs);
      } else if (signal.aborted || running.child !== child) {
        await lock.end().catch(() => {});
      } else {
        running = { child, lock };
        return keepLock();
      }
    }
  }

  watch();
  return {
    pid: () => running.child.pid ?? 0,
    lost,
    async stop() {
      if (signal.aborted) return;
      stopping.abort();
      await reviving;
      await running.lock.end().catch(() => {});
      await endChild(running.child);
    },
  };
}

const isUp = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null;

function comesBack(how: string, folders: Folders): StoreError {
  return new StoreError(
    'unreachable',
    `PostgreSQL ${how}, and is started again.`,
    `Everything saved is kept. PostgreSQL’s log is ${folders.log}.`,
  );
}

function notBack(how: string, folders: Folders, failure: unknown): StoreError {
  const why = failure instanceof StoreError ? `\n${failure.message}` : '';
  return new StoreError(
    'unreachable',
    `PostgreSQL ${how}, and did not stay up in ${triesInARow} further starts.${why}`,
    `Everything saved is kept. Read ${folders.log}, mend the cause that PostgreSQL names there, then start Homeport again.`,
    failure,
  );
}
