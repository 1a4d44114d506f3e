import { readdirSync, readFileSync } from 'node:fs';
import { readText } from './files.ts';

/** When a process started, in clock ticks since boot: field 22 of /proc/<pid>/stat (proc(5)). Null without such a process. */
export function startTicksOf(pid: number): string | null {
  return fields(pid)?.[19] ?? null;
}

/** True while the process that started at that time still runs. A reused pid is another process. */
export function isAlive(pid: number, startTicks: string | null): boolean {
  const stat = fields(pid);
  return stat !== null && stat[0] !== 'Z' && (startTicks === null || stat[19] === startTicks);
}

/** Signals a process, or with a negative pid its group. A process that has just ended is no error. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** The processes that have this variable: those of one container, which Docker ends with its first process. */
export function processesWith(variable: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      try {
        return readText(`/proc/${name}/environ`)?.split('\0').includes(variable) ?? false;
      } catch {
        return false; // Of another user, or ended meanwhile.
      }
    })
    .map(Number);
}

export type GroupUsage = { cpuTicks: number; rssBytes: number; processes: number };

/** Sums over a process group: user and system ticks, resident memory. */
export function usageOfGroup(group: number): GroupUsage {
  const usage: GroupUsage = { cpuTicks: 0, rssBytes: 0, processes: 0 };
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? fields(Number(name)) : null;
    if (!stat || Number(stat[2]) !== group) continue;
    usage.cpuTicks += Number(stat[11]) + Number(stat[12]);
    usage.rssBytes += Number(stat[21]) * 4096;
    usage.processes += 1;
  }
  return usage;
}

export function hostMemoryBytes(): number {
  const found = /^MemTotal:\s+(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'));
  return Number(found?.[1] ?? 0) * 1024;
}

/** The fields after the command's name, so [0] is the state. The name may hold blanks and brackets. */
function fields(pid: number): string[] | null {
  let stat: string | undefined;
  try {
    stat = readText(`/proc/${pid}/stat`);
  } catch {
    return null; // ESRCH: the process ended between open and read
  }
  return stat === undefined ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
