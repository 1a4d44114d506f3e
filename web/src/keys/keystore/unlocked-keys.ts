import type { SigningKeys } from '@homeport/signer/key-types';
import type { HeldKey } from './held-key.ts';
import { type LockSecret, unlockKey } from './lock-key.ts';

/** A key that was unused for this long is locked again. */
export const forgetAfterMs = 30 * 60_000;

const unlocked = new Map<string, { keys: SigningKeys; usedAt: number }>();

/** Tabs with an older build must understand this message too. Do not change the name or the word. */
const lockWord = 'lock-all';
const tabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('homeport.keys');
tabs?.addEventListener('message', ({ data }) => {
  if (data === lockWord) unlocked.clear();
});

/**
 * The keys that can sign now, or undefined when the key is locked. Each use restarts the time until the lock.
 */
export function usableKeys(held: HeldKey, now = Date.now()): SigningKeys | undefined {
  if (held.secret.kind === 'open') return held.secret.keys;
  const entry = unlocked.get(nameOf(held.owner, held.id));
  if (!entry || now - entry.usedAt >= forgetAfterMs) {
    lock(held.owner, held.id);
    return undefined;
  }
  entry.usedAt = now;
  return entry.keys;
}

/** Unlocks a key for this visit. `pepper` is the profile's. Throws KeyError `passphrase_wrong`. */
export async function unlock(
  held: HeldKey,
  secret: LockSecret,
  pepper: string,
  now = Date.now(),
): Promise<SigningKeys> {
  if (held.secret.kind === 'open') return held.secret.keys;
  const keys = await unlockKey(held.secret.locked, held.type, held.blob, secret, pepper);
  unlocked.set(nameOf(held.owner, held.id), { keys, usedAt: now });
  return keys;
}

export function lock(owner: string, id: string): void {
  unlocked.delete(nameOf(owner, id));
}

/** Locks all keys here and in every other tab of this browser, for signing out. */
export function lockAll(): void {
  unlocked.clear();
  tabs?.postMessage(lockWord);
}

function nameOf(owner: string, id: string): string {
  return `${owner} ${id}`;
}
