import { call } from '../data/call.ts';
import type { LockChoice } from '../keys/key-jobs.ts';
import type { LockedKey, LockSecret } from '../keys/keystore/lock-key.ts';
import { askPasskey, createPasskey } from '../keys/keystore/passkey.ts';

/** How the user wants to keep a new key. */
export type LockRequest = { kind: 'none' } | { kind: 'passphrase'; passphrase: string } | { kind: 'passkey' };

export const leastLockCharacters = 8;

/** The fault of the lock's passphrase. null without a fault. */
export function lockProblem(value: LockRequest): string | null {
  const tooShort = value.kind === 'passphrase' && value.passphrase.length < leastLockCharacters;
  return tooShort ? `Use at least ${leastLockCharacters} characters.` : null;
}

/**
 * Gets the secret of a new lock from a new passkey or the passphrase, and the second secret from the profile.
 * Throws KeyError or ApiProblem.
 */
export async function lockChoice(
  request: LockRequest,
  account: { id: string; name: string },
): Promise<LockChoice> {
  if (request.kind === 'none') return null;
  const { pepper } = await call('GET /api/profile');
  const secret: LockSecret = request.kind === 'passkey' ? await createPasskey(account) : request;
  return { secret, pepper };
}

/** Gets the secret that opens a locked key. `passphrase` is ignored if a passkey locks the key. */
export async function unlockChoice(
  { lock }: LockedKey,
  passphrase: string,
): Promise<{ secret: LockSecret; pepper: string }> {
  const { pepper } = await call('GET /api/profile');
  const secret: LockSecret =
    lock.kind === 'passkey' ? await askPasskey(lock.credentialId) : { kind: 'passphrase', passphrase };
  return { secret, pepper };
}

/** Passkeys belong to a domain name. Browsers refuse them at an IP address. */
export function canUsePasskeys(): boolean {
  const { hostname } = window.location;
  const isAddress = /^[\d.]+$/.test(hostname) || hostname.startsWith('[');
  return 'PublicKeyCredential' in window && window.isSecureContext && !isAddress;
}
