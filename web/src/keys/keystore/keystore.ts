import { inStore } from './browser-store.ts';
import type { Bytes } from './bytes.ts';
import type { KeptSecret, KeyJobResult } from './key-jobs.ts';
import type { KeyType } from './key-types.ts';
import { forgetLocalKey, rememberLocalKey } from './local-keys.ts';
import { lock } from './unlocked-keys.ts';

/** A private key that this browser holds. `owner` is the id of the account: two people may share a browser. */
export interface HeldKey {
  owner: string;
  /** MD5 fingerprint without colons: the same id as that of the stored public key. */
  id: string;
  name: string;
  type: KeyType;
  blob: Bytes;
  publicKey: string;
  sha256: string;
  addedAt: number;
  secret: KeptSecret;
}

export function listHeldKeys(owner: string): Promise<HeldKey[]> {
  return inStore<HeldKey[]>('keys', 'readonly', (store) =>
    store.getAll(IDBKeyRange.bound([owner], [owner, []])),
  );
}

export function findHeldKey(owner: string, id: string): Promise<HeldKey | undefined> {
  return inStore<HeldKey | undefined>('keys', 'readonly', (store) => store.get([owner, id]));
}

/** Keeps what an import or a generation gave; a key that is there already is replaced. */
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

/** Ends this browser's ability to sign with the key; the stored public key is another matter. */
export async function dropHeldKey(owner: string, id: string): Promise<void> {
  lock(owner, id);
  await inStore('keys', 'readwrite', (store) => store.delete([owner, id]));
  forgetLocalKey(owner, id);
}

/** Asks the browser not to evict the keys when the disk is full. False is common, and no fault. */
export async function askToPersist(): Promise<boolean> {
  return (await navigator.storage?.persist?.()) ?? false;
}
