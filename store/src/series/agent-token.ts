import { hash, randomBytes } from 'node:crypto';

/** A new token for a server's agent. The store keeps only the hash (`servers.agent_token_hash`); the token goes to the server. */
export function makeAgentToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: agentTokenHash(token) };
}

/** SHA-256 suffices for 256 random bits, and is fast enough for thousands of reports a second. */
export function agentTokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
