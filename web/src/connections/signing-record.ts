import { type Bytes, toBase64 } from '@homeport/signer/bytes';
import { inStore } from '../data/browser-store.ts';

/** One proof of identity that this page gave: a signature or a password. */
export interface SignedEntry {
  at: number;
  serverId: string;
  user: string;
  method: 'agent' | 'password';
  /** The signed SSH session id in base64. Absent for a password. */
  session?: string;
}

/** Enough for more than a year of ordinary use. Older entries are deleted. */
const mostEntries = 2000;

/**
 * Records a session before the page signs it. Returns false if any tab has signed the session before. The
 * index is unique, so two tabs cannot both succeed.
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
  // The store's keys count up, so the oldest entries have the smallest keys.
  const oldest = Number(key) - mostEntries;
  if (oldest > 0)
    await inStore('signed', 'readwrite', (store) => store.delete(IDBKeyRange.upperBound(oldest)));
}
