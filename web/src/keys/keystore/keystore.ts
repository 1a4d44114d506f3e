import { inStore } from '../../data/browser-store.ts';
import type { KeyJobResult } from '../key-jobs.ts';
import type { HeldKey } from './held-key.ts';
import { forgetLocalKey, rememberLocalKey } from './local-keys.ts';
import { lock } from './unlocked-keys.ts';

export function listHeldKeys(owner: string): Promise<HeldKey[]> {
  return inStore<HeldKey[]>('keys', 'readonly', (store) =>
    store.getAll(IDBKeyRange.bound([owner], [owner, []])),
  );
}

export function findHeldKey(owner: string, id: string): Promise<HeldKey | undefined> {
  return inStore<HeldKey | undefined>('keys', 'readonly', (store) => store.get([owner, id]));
}

/** Keeps an imported or generated key. Replaces a key with the same id. */
export async function holdKey(owner: string, name: string, made: KeyJobResult, at: number): Promise<HeldKey> {
  if (made.secret === null) throw new Error('An export makes nothing to keep.');
  const { id, type, blob, publicKey, sha256, secret } = made;
  const held: HeldKey = { owner, id, name, type, blob, publicKey, sha256, addedAt: at, secret };
  lock(owner, id);
  await inStore('keys', 'readwrite', (store) => store.put(held));
  rememberLocalKey({
    id,
    name,
    key: publicKey,
    fingerprint: made.md5,
    user: owner,
    created_at: at,
    local: true,
  });
  return held;
}

/** Ends this browser's ability to sign with the key. The public key stays on the console. */
export async function dropHeldKey(owner: string, id: string): Promise<void> {
  lock(owner, id);
  await inStore('keys', 'readwrite', (store) => store.delete([owner, id]));
  forgetLocalKey(owner, id);
}

/**
 * Asks the browser not to evict the keys when the disk is full. The answer false is common and not an error.
 */
export async function askToPersist(): Promise<boolean> {
  return (await navigator.storage?.persist?.()) ?? false;
}
