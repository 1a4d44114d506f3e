import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

const graceMs = 10_000;

/** Asks a program to end, and kills the program that does not. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  const inTime = new AbortController();
  child.kill('SIGTERM');
  await Promise.race([ended, pause(graceMs, undefined, { signal: inTime.signal }).catch(() => {})]);
  inTime.abort();
  child.kill('SIGKILL');
  await ended;
}
