import { createHmac } from 'node:crypto';

const path = /^\/\.well-known\/homeport\/([0-9a-f]{32})$/;

/** The nonce that a check of a domain asks with, or null for every other address. */
export function nonceOf(url: string): string | null {
  return url.startsWith('/.well-known/homeport/') ? (path.exec(url)?.[1] ?? null) : null;
}

/** What only a plane of this console answers: it proves that requests for the domain arrive here. */
export function proveArrival(key: Buffer, nonce: string): string {
  return createHmac('sha256', key).update(`homeport arrival ${nonce}`).digest('hex');
}
