import { sign } from 'node:crypto';
import { isIP } from 'node:net';
import type { PushKeys } from './push-keys.ts';

/** At most 24 hours (RFC 8292, 2). Half of it bears clocks that disagree. */
const validSeconds = 12 * 3_600;

/**
 * The header by which a push service knows the console (RFC 8292): a token for this service alone, signed with the key that the browser
 * asked for.
 *
 * @param origin of the console, whom the service may ask about its messages
 */
export function signPush(
  { publicKey, privateKey }: PushKeys,
  { endpoint, origin, now }: { endpoint: URL; origin: string; now: number },
): string {
  const claims = {
    aud: endpoint.origin,
    exp: Math.floor(now / 1_000) + validSeconds,
    ...(isPublic(new URL(origin)) && { sub: origin }),
  };
  const signed = [{ typ: 'JWT', alg: 'ES256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`;
}

/** Names that no public DNS has (RFC 6761, RFC 6762, RFC 8375, and what home routers give). */
const privateEnds = ['.local', '.localhost', '.internal', '.home.arpa', '.lan', '.home', '.invalid', '.test'];

/** Whether somebody elsewhere could ask there. A service may refuse a token that names another place. */
function isPublic({ protocol, hostname }: URL): boolean {
  const isName = isIP(hostname.replace(/^\[(.*)\]$/, '$1')) === 0 && hostname.includes('.');
  return protocol === 'https:' && isName && !privateEnds.some((end) => hostname.endsWith(end));
}
