import { curves, type SignatureAlgorithm } from './key-types.ts';

/** The parameters with which `crypto.subtle` signs or verifies with `algorithm`. */
export function signingAlgorithm(algorithm: SignatureAlgorithm): { name: string; hash?: string } {
  if (algorithm === 'ssh-ed25519') return { name: 'Ed25519' };
  if (algorithm === 'rsa-sha2-256' || algorithm === 'rsa-sha2-512') return { name: 'RSASSA-PKCS1-v1_5' };
  const curve = Object.values(curves).find(({ type }) => type === algorithm);
  return { name: 'ECDSA', hash: curve?.hash ?? 'SHA-256' };
}
