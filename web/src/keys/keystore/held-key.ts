import type { Bytes } from '../bytes.ts';
import type { KeptSecret } from '../key-jobs.ts';
import type { KeyType } from '../key-types.ts';

/** A private key that this browser holds. `owner` is the id of the account: two people may share a browser. */
export interface HeldKey {
  owner: string;
  /** MD5 fingerprint without colons: the same id as that of the stored public key. */
  id: string;
  name: string;
  type: KeyType;
  blob: Bytes;
  publicKey: string;
  sha256: string;
  addedAt: number;
  secret: KeptSecret;
}
