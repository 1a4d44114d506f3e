import { webAddressProblem } from './web-address.ts';

// Why a part of a browser's push subscription (Push API, PushSubscription.toJSON) cannot be one; null if it can. Nobody types these parts.

export function pushEndpointProblem(text: string): string | null {
  const problem = webAddressProblem(text);
  if (problem !== null) return problem;
  return new URL(text).protocol === 'https:' ? null : 'The address of a push service begins with https://.';
}

/** A public key on P-256 as 65 bytes, the first of which is 4 (RFC 8291, 2.1). Whether the point is on the curve is for the api to say. */
export function pushKeyProblem(text: string): string | null {
  return /^B[A-P][A-Za-z0-9_-]{85}$/.test(text) ? null : 'The key of a browser has 65 bytes in base64url.';
}

/** 16 bytes (RFC 8291, 2.2). */
export function pushSecretProblem(text: string): string | null {
  return /^[A-Za-z0-9_-]{21}[AQgw]$/.test(text) ? null : 'The secret of a browser has 16 bytes in base64url.';
}
