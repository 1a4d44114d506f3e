import type { Bytes } from '@homeport/signer/bytes';
import type { KeyType } from '@homeport/signer/key-types';
import type { KeptSecret } from '../key-jobs.ts';

/** A private key in this browser. Two people may share a browser, so `owner` holds the account's id. */
export interface HeldKey {
  owner: string;
  /** MD5 fingerprint without colons. The stored public key has the same id. */
  id: string;
  name: string;
  type: KeyType;
  blob: Bytes;
  publicKey: string;
  sha256: string;
  addedAt: number;
  secret: KeptSecret;
}
