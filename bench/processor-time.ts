import { readdirSync, readFileSync } from 'node:fs';

/** proc(5), stat: times count in hundredths of a second on every architecture that Node runs on. */
const millisecondsPerTick = 10;

/** Processor time of a process so far, in milliseconds: its own, and that of its children which ended and were waited for. */
export type ProcessorTime = { own: number; children: number };

type Process = ProcessorTime & { pid: number; parent: number };

/** Processor time of a process that runs. Throws when there is none of that number. */
export function timesOf(pid: number): ProcessorTime {
  const { own, children } = read(pid);
  return { own, children };
}

/** Processor time of a process and of everything below it, in milliseconds, whether it has ended or not. */
export function timeOfFamily(pid: number): number {
  return familyOf(pid).reduce((sum, { own, children }) => sum + own + children, 0);
}

/** The numbers of a process and of every process below it that runs. */
export const pidsOfFamily = (pid: number): number[] => familyOf(pid).map((process) => process.pid);

function familyOf(pid: number): Process[] {
  const all = readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .flatMap((name) => readIfThere(Number(name)) ?? []);
  const found = all.filter((process) => process.pid === pid);
  for (const one of found) found.push(...all.filter(({ parent }) => parent === one.pid));
  return found;
}

function readIfThere(pid: number): Process | null {
  try {
    return read(pid);
  } catch {
    // The process has ended since the listing.
    return null;
  }
}

function read(pid: number): Process {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the program's name in brackets, which may hold spaces and brackets.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const milliseconds = (...at: number[]) =>
    at.reduce((sum, field) => sum + Number(fields[field - 3]), 0) * millisecondsPerTick;
  return {
    pid,
    parent: Number(fields[1]),
    own: ownOf(pid) ?? milliseconds(14, 15),
    children: milliseconds(16, 17),
  };
}

/**
 * The time of all threads that run, to the nanosecond: schedstat in the kernel's documentation of its scheduler's statistics. The
 * hundredths in stat are too coarse for a program that uses a tenth of a second. A kernel without these statistics has no such file.
 */
function ownOf(pid: number): number | null {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
      const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
      return sum + Number(nanoseconds) / 1e6;
    }, 0);
  } catch {
    return null;
  }
}
