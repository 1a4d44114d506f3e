import type { Key } from '@homeport/contract/credentials/schema';
import type { LocalKey } from '../keys/keystore/local-keys.ts';
import { shownFingerprint } from './shown-fingerprint.ts';

/** How this browser holds a private key. `unknown` until its storage has answered. */
export type PrivatePart = 'open' | 'locked' | 'absent' | 'unknown';

export interface KeyRow {
  id: string;
  name: string;
  publicKey: string;
  /** The id as people write it: MD5 with colons. */
  fingerprint: string;
  /** As `ssh-keygen -l` prints it. null for a key that only the browser's list knows. */
  sha256: string | null;
  privatePart: PrivatePart;
  /** Whether the console knows the public half. false for a key that only this browser has. */
  stored: boolean;
  usedBy: Key['usedBy'];
  addedAt: number;
}

/**
 * The stored keys, followed by the keys that only this browser can sign with. A line of the local list
 * without either half is left out. `held`: the contents of the key store, by id.
 */
export function keyRows(
  stored: readonly Key[],
  local: readonly LocalKey[],
  held: ReadonlyMap<string, 'open' | 'locked'> | undefined,
): KeyRow[] {
  const privatePart = (id: string): PrivatePart => (held ? (held.get(id) ?? 'absent') : 'unknown');
  const known = new Set(stored.map(({ id }) => id));
  return [
    ...stored.map(({ id, name, publicKey, fingerprint: sha256, usedBy, addedAt }) => {
      const fingerprint = shownFingerprint(id);
      const line = { id, name, publicKey, fingerprint, sha256, privatePart: privatePart(id), stored: true };
      return { ...line, usedBy, addedAt };
    }),
    ...local
      .filter(({ id }) => !known.has(id) && held?.has(id))
      .map(({ id, name, key, fingerprint, created_at }) => {
        const line = { id, name, publicKey: key, fingerprint, sha256: null, privatePart: privatePart(id) };
        return { ...line, stored: false, usedBy: [], addedAt: created_at };
      }),
  ];
}

/** The type of a public line in common words: `ED25519`, `RSA`, `ECDSA P-256`. */
export function keyTypeWord(publicKey: string): string {
  const type = publicKey.split(' ', 1)[0] ?? '';
  const curve = /^ecdsa-sha2-nistp(\d+)$/.exec(type)?.[1];
  return curve ? `ECDSA P-${curve}` : type.replace(/^ssh-/, '').toUpperCase();
}
