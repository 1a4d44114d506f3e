import type { ServerStats } from '@homeport/contract/stats/schema';

export interface ProcessGroup {
  name: string;
  count: number;
  /** Bytes of all of them; pages that they share are counted once for each. */
  memory: number;
  /** Percent of one core. */
  cpu: number;
}

/** Processes of one name as one row: what matters is that PostgreSQL is busy, not which of its fourteen. */
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
