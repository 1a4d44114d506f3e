import { agentTokenHash } from '@homeport/store';

const tokenPattern = /^[A-Za-z0-9_-]{16,128}$/;

/** SHA-256 (hex) of the token that a Bearer header carries (RFC 6750, 2.1); null where there is none. */
export function tokenHashOf(authorization: string | undefined): string | null {
  return authorization?.startsWith('Bearer ') ? hashOf(authorization.slice('Bearer '.length)) : null;
}

/** Null for what no token looks like. */
export function hashOf(token: string | undefined): string | null {
  return token !== undefined && tokenPattern.test(token) ? agentTokenHash(token).toString('hex') : null;
}
