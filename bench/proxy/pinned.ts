import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { pidsOfFamily, timesOf } from '../processor-time.ts';

/** The core of whatever is measured, and the one of everything else: the website and who asks. */
export const cores = { measured: 0, others: 1 } as const;

/** A program on one core, with all that it starts. */
export type Pinned = {
  child: ChildProcess;
  /** Processor time so far of the program and its children, in milliseconds. */
  processorMs(): number;
  /** Memory of the program and its children (PSS), in MiB. */
  memoryMiB(): number;
  stop(): Promise<void>;
};

/** Starts a program on a core, or on several: `0,1`. */
export function startPinned(
  core: number | string,
  [program = '', ...args]: readonly string[],
  { env = {} }: { env?: Readonly<Record<string, string>> } = {},
): Pinned {
  const child = spawn('taskset', ['-c', String(core), program, ...args], {
    // Caddy would write into the home folder.
    env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, HOME: tmpdir(), ...env },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  // taskset becomes the program, so its number stays.
  const family = () => pidsOfFamily(child.pid ?? 0);
  return {
    child,
    processorMs: () => family().reduce((sum, pid) => sum + timesOf(pid).own, 0),
    memoryMiB: () => family().reduce((sum, pid) => sum + pssOf(pid), 0),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await ended;
      clearTimeout(late);
    },
  };
}

function pssOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss: +([0-9]+) kB/m.exec(text)?.[1] ?? 0) / 1_024;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  return address.port;
}

/** Resolves when something listens there. */
export async function listens(port: number): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isThere) return;
    await pause(50);
  }
  throw new Error(`Nothing listens on port ${port}.`);
}
