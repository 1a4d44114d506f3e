import type { SigningKeys } from '../key-types.ts';
import type { HeldKey } from './held-key.ts';
import { type LockSecret, unlockKey } from './lock-key.ts';

/** A locked key is forgotten when it was not used for this long. */
export const forgetAfterMs = 30 * 60_000;

const unlocked = new Map<string, { keys: SigningKeys; usedAt: number }>();

/** Also understood by tabs of an older build: the name and the word stay. */
const lockWord = 'lock-all';
const tabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('homeport.keys');
tabs?.addEventListener('message', ({ data }) => {
  if (data === lockWord) unlocked.clear();
});

/** Keys that can sign now, or undefined when the key is locked. A use puts the forgetting off. */
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

/** Unlocks for this visit. `pepper` is the profile's. Throws KeyError `passphrase_wrong`. */
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

/** For signing out: here and in every other tab of this browser. */
export function lockAll(): void {
  unlocked.clear();
  tabs?.postMessage(lockWord);
}

function nameOf(owner: string, id: string): string {
  return `${owner} ${id}`;
}
