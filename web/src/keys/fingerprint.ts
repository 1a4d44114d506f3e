import { toBase64 } from './bytes.ts';

/** `SHA256:` and 43 characters of base64, as `ssh-keygen -l` prints it, of a public blob. */
export async function sha256Fingerprint(blob: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', blob));
  return `SHA256:${toBase64(digest).replace(/=$/, '')}`;
}
