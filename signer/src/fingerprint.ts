import { toBase64 } from './bytes.ts';

/** The fingerprint of a public blob as `ssh-keygen -l` prints it: `SHA256:` and 43 characters of base64. */
export async function sha256Fingerprint(blob: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', blob));
  return `SHA256:${toBase64(digest).replace(/=$/, '')}`;
}
