// Apart from the toasts themselves, which a page loads once there is an operation.

/** How many toasts of an operation this tab has shown, and whether the operation is over. */
interface Told {
  shown: number;
  over: boolean;
}

const kept = 'homeport.operation-toasts';
const mostKept = 50;
const told: Map<string, Told> = read();
const listeners = new Set<() => void>();

/**
 * Call for an operation that this page started. Its toasts then appear even if it ends before the first
 * reading.
 */
export function expectToasts(id: string): void {
  const known = told.get(id);
  if (known && !known.over) return;
  remember(id, { shown: known?.shown ?? 0, over: false });
  for (const listener of listeners) listener();
}

export function onExpected(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The operations that may still bring toasts. */
export function expectedIds(): string[] {
  return [...told].filter(([, { over }]) => !over).map(([id]) => id);
}

/** Call for an operation that can no longer be read. */
export function forgetToasts(id: string): void {
  const known = told.get(id);
  if (known) remember(id, { ...known, over: true });
}

export const toldOf = (id: string): Told | undefined => told.get(id);

export function remember(id: string, entry: Told) {
  const before = told.get(id);
  if (before?.shown === entry.shown && before.over === entry.over) return;
  told.delete(id);
  told.set(id, entry);
  for (const oldest of [...told.keys()].slice(0, -mostKept)) told.delete(oldest);
  try {
    sessionStorage.setItem(kept, JSON.stringify([...told]));
  } catch {
    // Without storage a reload may repeat a toast.
  }
}

function read(): Map<string, Told> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(kept) ?? '[]') as [string, Told][]);
  } catch {
    return new Map();
  }
}
