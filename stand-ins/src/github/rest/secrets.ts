import { blake2b } from '@noble/hashes/blake2.js';
import nacl from 'tweetnacl';
import { z } from 'zod';
import { type Answer, type Asked, accessTo, notFound, refuse } from '../answer.ts';
import type { Repository } from '../state.ts';

const bodySchema = z.object({ encrypted_value: z.string(), key_id: z.string() });

export function readSecretKey(asked: Asked, repository: Repository): Answer {
  if (!accessTo(asked, repository)?.push) return notFound();
  const { id, pair } = repository.secretKey;
  return { status: 200, body: { key_id: id, key: Buffer.from(pair.publicKey).toString('base64') } };
}

/** Opens the sealed value as the runner would, so that a test can look at the text. */
export function setSecret(asked: Asked, repository: Repository, name: string): Answer {
  if (!accessTo(asked, repository)?.push) return notFound();
  const { encrypted_value, key_id } = bodySchema.parse(asked.body);
  if (key_id !== repository.secretKey.id)
    return refuse(422, 'Bad request - key_id is not the id of the repository’s key.');
  const text = openSealedBox(Buffer.from(encrypted_value, 'base64'), repository.secretKey.pair);
  if (text === null) return refuse(422, 'Bad request - encrypted_value could not be opened.');
  const isNew = !repository.secrets.has(name);
  repository.secrets.set(name, { text, changedAt: Date.now() });
  return isNew ? { status: 201, body: {} } : { status: 204 };
}

export function readSecret(asked: Asked, repository: Repository, name: string): Answer {
  const secret = repository.secrets.get(name);
  if (!secret || !accessTo(asked, repository)?.push) return notFound();
  const at = new Date(secret.changedAt).toISOString();
  return { status: 200, body: { name, created_at: at, updated_at: at } };
}

export function removeSecret(asked: Asked, repository: Repository, name: string): Answer {
  if (!accessTo(asked, repository)?.push) return notFound();
  return repository.secrets.delete(name) ? { status: 204 } : notFound();
}

/** libsodium's `crypto_box_seal_open`: the nonce is BLAKE2b of both public keys. */
function openSealedBox(sealed: Uint8Array, { publicKey, secretKey }: nacl.BoxKeyPair): string | null {
  if (sealed.length < 48) return null;
  const sender = sealed.subarray(0, 32);
  const nonce = blake2b(Buffer.concat([sender, publicKey]), { dkLen: 24 });
  const opened = nacl.box.open(sealed.subarray(32), nonce, sender, secretKey);
  return opened ? Buffer.from(opened).toString() : null;
}
