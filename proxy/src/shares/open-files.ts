import type { PlaneLimits } from '../limits.ts';

/** What a shell gives where nothing else is set. */
const usual = 1_024;

/** How many files and connections this process may have open (`ulimit -n`). Node raises its own soft bound to the hard one at its start. */
export function openFilesAtMost(): number {
  // The report is the one way that Linux and macOS share. Without the setting it asks the names of all peers.
  if (process.report) Object.assign(process.report, { excludeNetwork: true });
  const soft = /"open_files":\{"soft":"?(\w+)/.exec(JSON.stringify(process.report?.getReport() ?? {}))?.[1];
  if (soft === 'unlimited') return Number.POSITIVE_INFINITY;
  return Number(soft) || usual;
}

/**
 * The bounds with so few connections that half of what the process may open stays free: for sites that have nothing open yet, for the
 * store and for files. A quarter is for connections of visitors, an eighth each for requests to websites and for the far ends of
 * WebSockets, whose near ends are among the visitors' connections.
 */
export function boundByOpenFiles(limits: PlaneLimits, openFiles: number): PlaneLimits {
  const part = (most: number, of: number) => Math.min(most, Math.floor(openFiles / of));
  return {
    ...limits,
    connections: part(limits.connections, 4),
    sockets: part(limits.sockets, 8),
    upstreamOpen: part(limits.upstreamOpen, 8),
  };
}
