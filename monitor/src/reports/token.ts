import { agentTokenHash } from '@homeport/store';

const tokenPattern = /^[A-Za-z0-9_-]{16,128}$/;

/** The SHA-256 (hex) of a Bearer header's token (RFC 6750, 2.1). Null without such a header. */
export function tokenHashOf(authorization: string | undefined): string | null {
  return authorization?.startsWith('Bearer ') ? hashOf(authorization.slice('Bearer '.length)) : null;
}

/** Null for text that has not the form of a token. */
export function hashOf(token: string | undefined): string | null {
  return token !== undefined && tokenPattern.test(token) ? agentTokenHash(token).toString('hex') : null;
}
