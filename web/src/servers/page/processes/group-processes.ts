import type { ServerStats } from '@homeport/contract/stats/schema';

export interface ProcessGroup {
  name: string;
  count: number;
  /** Bytes of all processes. Shared pages count once for each process. */
  memory: number;
  /** Percent of one core. */
  cpu: number;
}

/**
 * Groups processes by name into one row: PostgreSQL's load matters, not the load of each of its processes.
 */
export function groupProcesses(processes: ServerStats['processes_array']): ProcessGroup[] {
  const groups = new Map<string, ProcessGroup>();
  for (const { name, rss, cpu } of processes) {
    const group = groups.get(name) ?? { name, count: 0, memory: 0, cpu: 0 };
    groups.set(name, {
      name,
      count: group.count + 1,
      memory: group.memory + rss,
      cpu: group.cpu + cpu,
    });
  }
  return [...groups.values()].sort((a, b) => b.cpu - a.cpu || b.memory - a.memory);
}
