import { curves, type KeyType } from './key-types.ts';

export type ImportAlgorithm =
  | { name: 'Ed25519' }
  | { name: 'ECDSA'; namedCurve: string }
  | { name: 'RSASSA-PKCS1-v1_5'; hash: 'SHA-256' | 'SHA-512' };

/** The parameters with which WebCrypto imports a key of this type. Only RSA uses `hash`. */
export function importAlgorithm(type: KeyType, hash: 'SHA-256' | 'SHA-512' = 'SHA-256'): ImportAlgorithm {
  if (type === 'ssh-ed25519') return { name: 'Ed25519' };
  if (type === 'ssh-rsa') return { name: 'RSASSA-PKCS1-v1_5', hash };
  const curve = Object.entries(curves).find(([, { type: name }]) => name === type);
  return { name: 'ECDSA', namedCurve: curve?.[0] ?? '' };
}
