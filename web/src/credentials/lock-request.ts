import { call } from '../data/call.ts';
import type { LockChoice } from '../keys/key-jobs.ts';
import type { LockedKey, LockSecret } from '../keys/keystore/lock-key.ts';
import { askPasskey, createPasskey } from '../keys/keystore/passkey.ts';

/** How a person wants a new key to be kept. */
export type LockRequest = { kind: 'none' } | { kind: 'passphrase'; passphrase: string } | { kind: 'passkey' };

export const leastLockCharacters = 8;

/** What is wrong with the passphrase of the lock; null when nothing is. */
export function lockProblem(value: LockRequest): string | null {
  const tooShort = value.kind === 'passphrase' && value.passphrase.length < leastLockCharacters;
  return tooShort ? `Use at least ${leastLockCharacters} characters.` : null;
}

/** Asks the passkey or the profile's second secret for what the lock needs. Throws KeyError or ApiProblem. */
export async function lockChoice(
  request: LockRequest,
  account: { id: string; name: string },
): Promise<LockChoice> {
  if (request.kind === 'none') return null;
  const { pepper } = await call('GET /api/profile');
  const secret: LockSecret = request.kind === 'passkey' ? await createPasskey(account) : request;
  return { secret, pepper };
}

/** What opens a key that is locked already. `passphrase` is not looked at where a passkey locks it. */
export async function unlockChoice(
  { lock }: LockedKey,
  passphrase: string,
): Promise<{ secret: LockSecret; pepper: string }> {
  const { pepper } = await call('GET /api/profile');
  const secret: LockSecret =
    lock.kind === 'passkey' ? await askPasskey(lock.credentialId) : { kind: 'passphrase', passphrase };
  return { secret, pepper };
}

/** Passkeys belong to a name; browsers refuse them at an IP address. */
export function canUsePasskeys(): boolean {
  const { hostname } = window.location;
  const isAddress = /^[\d.]+$/.test(hostname) || hostname.startsWith('[');
  return 'PublicKeyCredential' in window && window.isSecureContext && !isAddress;
}
