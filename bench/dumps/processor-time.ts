import { readdirSync, readFileSync } from 'node:fs';

/** proc(5), stat: times count in hundredths of a second on every architecture that Node runs on. */
const ticksPerSecond = 100;

type Process = { pid: number; parent: number; own: number; ended: number };

/** Seconds of processor time of a process so far, with its threads. */
export function ofProcess(pid: number): number {
  return read(pid)?.own ?? 0;
}

/** The same of the processes that it and its descendants started, and which have ended and been waited for. */
export function ofEndedChildren(pid: number): number {
  return read(pid)?.ended ?? 0;
}

/** Of a process and of everything below it, whether it has ended or not. */
export function ofFamily(pid: number): number {
  const all = readdirSync('/proc').flatMap((name) => read(Number(name)) ?? []);
  const total = ({ pid, own, ended }: Process): number =>
    all.filter(({ parent }) => parent === pid).reduce((sum, child) => sum + total(child), own + ended);
  const eldest = all.find((process) => process.pid === pid);
  return eldest ? total(eldest) : 0;
}

function read(pid: number): Process | null {
  if (!Number.isInteger(pid)) return null;
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets, which may hold spaces.
    const fields = line
      .slice(line.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const seconds = (at: number) => ((fields[at] ?? 0) + (fields[at + 1] ?? 0)) / ticksPerSecond;
    return { pid, parent: fields[1] ?? 0, own: seconds(11), ended: seconds(13) };
  } catch {
    // The process has ended since the listing.
    return null;
  }
}
