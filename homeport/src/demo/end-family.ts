import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

/** Ends a child process and all its descendants. A process group is not enough: sshd gives each session a group of its own. */
export async function endFamily(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  for (const pid of [child.pid, ...(await descendants(child.pid))]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process ended by itself after the listing.
    }
  }
  await ended;
}

async function descendants(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-e', '-o', 'pid=,ppid=']);
  const rows = stdout
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number));
  const childrenOf = (parent: number): number[] =>
    rows.flatMap(([child = 0, of]) => (of === parent ? [child, ...childrenOf(child)] : []));
  return childrenOf(pid);
}
