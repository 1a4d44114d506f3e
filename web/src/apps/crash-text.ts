import type { Crash } from '@homeport/contract/apps/schema';

/** "web.1 ended with exit code 137 (out of memory) after 10 restarts." */
export function crashText({ processes }: Pick<Crash, 'processes'>): string {
  if (processes.length === 0) return 'The app ended, and nobody stopped it.';
  return processes
    .map(({ name, exitCode, restarts, outOfMemory }) => {
      const cause = outOfMemory ? ' (out of memory)' : '';
      const tries = restarts === 0 ? '' : ` after ${restarts} ${restarts === 1 ? 'restart' : 'restarts'}`;
      return `${name} ended with exit code ${exitCode}${cause}${tries}.`;
    })
    .join(' ');
}
