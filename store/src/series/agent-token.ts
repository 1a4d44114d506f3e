import { hash, randomBytes } from 'node:crypto';

/** A new token of a server's agent. Only the hash is stored (`servers.agent_token_hash`); the token goes to the server. */
export function makeAgentToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: agentTokenHash(token) };
}

/** SHA-256: enough for 256 random bits, and quick enough for thousands of reports a second. */
export function agentTokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
