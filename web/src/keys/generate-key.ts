import { type PrivateKey, publicBlob } from '@homeport/signer/key-types';
import { exportJwk } from './formats/export-jwk.ts';

/**
 * A new Ed25519 key, or P-256 in a browser without Ed25519. The key is extractable until it has been written
 * and imported.
 */
export async function generateKey(comment: string): Promise<PrivateKey> {
  const pair = await generateEd25519().catch((error: unknown) => {
    if (!(error instanceof Error) || error.name !== 'NotSupportedError') throw error;
    return crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
  });
  const jwk = await exportJwk(pair.privateKey);
  return { jwk, blob: publicBlob(jwk), comment };
}

async function generateEd25519(): Promise<CryptoKeyPair> {
  return (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair;
}
