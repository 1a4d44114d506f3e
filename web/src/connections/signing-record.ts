import { inStore } from '../data/browser-store.ts';
import { type Bytes, toBase64 } from '../keys/bytes.ts';

/** One proof of identity that this page gave: a signature, or a password handed over. */
export interface SignedEntry {
  at: number;
  serverId: string;
  user: string;
  method: 'agent' | 'password';
  /** Base64 of the SSH session id that was signed; absent for a password. */
  session?: string;
}

/** More than a year of ordinary use; what is older is forgotten. */
const mostEntries = 2000;

/**
 * Remembers a session before it is signed. False when it has been signed before, in whichever tab: the index is unique,
 * so two tabs cannot both win.
 */
export async function claimSession(
  entry: { at: number; serverId: string; user: string },
  sessionId: Bytes,
): Promise<boolean> {
  try {
    await add({ ...entry, method: 'agent', session: toBase64(sessionId) });
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConstraintError') return false;
    throw error;
  }
}

export async function recordPassword(entry: { at: number; serverId: string; user: string }): Promise<void> {
  await add({ ...entry, method: 'password' });
}

/** Newest first. */
export async function listSigned(): Promise<SignedEntry[]> {
  const entries = await inStore<SignedEntry[]>('signed', 'readonly', (store) => store.getAll());
  return entries.reverse();
}

/** How often this browser proved itself to a server since `since`. */
export async function countSigned(serverId: string, since: number): Promise<number> {
  const recent = await inStore<SignedEntry[]>('signed', 'readonly', (store) =>
    store.index('at').getAll(IDBKeyRange.lowerBound(since)),
  );
  return recent.filter((entry) => entry.serverId === serverId).length;
}

async function add(entry: SignedEntry): Promise<void> {
  const key = await inStore('signed', 'readwrite', (store) => store.add(entry));
  // Keys of the store count up, so the oldest entries are those with the smallest keys.
  const oldest = Number(key) - mostEntries;
  if (oldest > 0)
    await inStore('signed', 'readwrite', (store) => store.delete(IDBKeyRange.upperBound(oldest)));
}
