import { fromBase64, toBase64 } from '@homeport/signer/bytes';
import { makeDeployPair } from './deploy-pair.ts';
import { sealSecret } from './seal-secret.ts';

/**
 * A new pair whose private half only the holder of `sealingKey` (base64) can read. The file itself is not kept, and does not leave
 * this function.
 */
export async function sealedPair(
  sealingKey: string,
  comment: string,
): Promise<{ publicKey: string; sealed: string }> {
  const receiver = fromBase64(sealingKey);
  if (receiver?.length !== 32) throw new Error('GitHub sent a key for secrets that cannot be used.');
  const { publicKey, privateFile } = await makeDeployPair(comment);
  return { publicKey, sealed: toBase64(sealSecret(receiver, privateFile)) };
}
