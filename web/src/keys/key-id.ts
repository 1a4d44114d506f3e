import { hex } from '@homeport/signer/bytes';
import { md5 } from '@noble/hashes/legacy.js';

/** A key's id: the MD5 fingerprint of its public blob without colons, 32 hexadecimal digits. */
export function keyId(blob: Uint8Array): string {
  return hex(md5(blob));
}

/** `43:51:09:…`, the MD5 fingerprint as `ssh-keygen -l -E md5` prints it after `MD5:`. */
export function md5Fingerprint(blob: Uint8Array): string {
  return keyId(blob).match(/../g)?.join(':') ?? '';
}
