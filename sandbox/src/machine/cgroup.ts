import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeText } from './files.ts';
import type { ContainerLimits } from './limits.ts';
import type { Paths } from './paths.ts';
import { usageOfGroup } from './processes.ts';

/** Writes what the kernel would tell of a running container, so that an agent names it in its report (cgroups(7), version 2). */
export function writeCgroup(
  paths: Paths,
  { id, limits }: { id: string; limits: ContainerLimits },
  group: number,
): void {
  const { cpuTicks, rssBytes, processes } = usageOfGroup(group);
  const folder = paths.cgroup(id);
  const write = (file: string, text: string) => writeText(join(folder, file), `${text}\n`);
  // Linux tells user space 100 ticks a second.
  write('cpu.stat', `usage_usec ${cpuTicks * 10_000}`);
  write('memory.stat', 'inactive_file 0');
  write('memory.current', String(rssBytes));
  write('memory.max', limits.memory > 0 ? String(limits.memory) : 'max');
  write('pids.current', String(processes));
  write('cgroup.procs', String(group));
}

export function removeCgroup(paths: Paths, id: string): void {
  rmSync(paths.cgroup(id), { recursive: true, force: true });
}
