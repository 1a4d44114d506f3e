import { toBase64, toBase64url } from '@homeport/signer/bytes';
import { publicBlob } from '@homeport/signer/key-types';
import { ed25519 } from '@noble/curves/ed25519.js';
import { writeOpenssh } from '../../keys/formats/write-openssh.ts';

/** A new pair for one app: the line for the server, and the file for the runner. It is written nowhere here. */
export interface DeployPair {
  publicKey: string;
  privateFile: string;
}

/** Makes an Ed25519 pair. Not every browser's own cryptography has Ed25519, so a library makes it. */
export async function makeDeployPair(comment: string): Promise<DeployPair> {
  const { secretKey, publicKey } = ed25519.keygen();
  const jwk = {
    kty: 'OKP',
    crv: 'Ed25519',
    x: toBase64url(publicKey),
    d: toBase64url(secretKey),
  } as const;
  const blob = publicBlob(jwk);
  const privateFile = await writeOpenssh({ jwk, blob, comment });
  secretKey.fill(0);
  return { publicKey: `ssh-ed25519 ${toBase64(blob)}`, privateFile };
}
