// Ages are counted from times that the console wrote, so the console's clock decides them. A browser whose clock is minutes off
// would show every server as Offline.

let offsetMs = 0;
const listeners = new Set<() => void>();

/** The console's time for a time of this browser, in epoch milliseconds. */
export const consoleTime = (browserTime = Date.now()): number => browserTime + offsetMs;

/**
 * Learns from the header `Date` of an answer (RFC 9110, 6.6.1), which has whole seconds. The console wrote the header between the
 * two times of this browser. Only an offset that this rules out is changed, and by no more than it has to be: the times of a page
 * whose browser is right never jump.
 */
export function learnConsoleTime(date: string | null, sentAt: number, answeredAt: number): void {
  const wrote = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(wrote) || answeredAt < sentAt) return;
  const least = wrote - answeredAt;
  const most = wrote + 1_000 - sentAt;
  const next = Math.min(Math.max(offsetMs, least), most);
  if (next === offsetMs) return;
  offsetMs = next;
  for (const listener of listeners) listener();
}

export function onConsoleTime(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
