import { createHash } from 'node:crypto';

/** The fingerprint of a line `type blob comment`, as `ssh-keygen -l` prints it: `SHA256:` and base64 without padding. Null for text that is no key. */
export function fingerprintOf(publicKey: string): string | null {
  const blob = publicKey.trim().split(/\s+/)[1];
  if (!blob || !/^[A-Za-z0-9+/]{40,}={0,2}$/.test(blob)) return null;
  const digest = createHash('sha256').update(Buffer.from(blob, 'base64')).digest('base64');
  return `SHA256:${digest.replace(/=$/, '')}`;
}
