import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Watches the memory of a process (RSS). The kernel notes the highest value by itself, so none between two looks is missed: 5 in
 * clear_refs begins anew (proc(5)).
 */
export function watchMemory(pid: number): { atFirstMiB: number; peakMiB(): number } {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return { atFirstMiB: read(pid, 'VmRSS'), peakMiB: () => read(pid, 'VmHWM') };
}

function read(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const lines = readFileSync(`/proc/${pid}/status`, 'utf8').split('\n');
  const line = lines.find((each) => each.startsWith(`${field}:`));
  return Number.parseInt(line?.slice(field.length + 1) ?? '', 10) / 1024;
}
