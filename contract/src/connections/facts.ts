/**
 * The socket on which the page answers as the SSH agent: one WebSocket per opening, same origin, subprotocol
 * `homeport.agent.v1`. Messages have at most 16 kB, with bytes as base64. The page always begins. The socket
 * closes after `host`, `ready` or `failed`. A password travels as one binary frame, never inside JSON.
 */
export const agentSubprotocol = 'homeport.agent.v1';
export const agentMessageBytes = 16_384;

/** The account that the console makes for itself on a server. A terminal logs in as this account and as no other. */
export const consoleUser = 'homeport';

/**
 * The header in which a program of a terminal sends the word that it made up when it started. Connections belong to token and word, so
 * whoever has the token alone finds none: a word is never kept, and the console has its hash.
 */
export const terminalWordHeader = 'homeport-terminal';
/** 32 random bytes in base64url. */
export const terminalWordCharacters = 43;

/** The host key types that Homeport accepts: no DSA, and no SHA-1 signature of an RSA key. */
export const hostKeyTypes = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'ssh-rsa',
] as const;

/** Why an opening ended without a connection. */
export const openingFailureCodes = [
  'unreachable',
  'timeout',
  'host_key_changed',
  'host_key_unproven',
  'auth_refused',
  'algorithm_refused',
  /**
   * The server accepts no signature that is bound to its host key, and the page did not allow a plain one.
   */
  'host_bound_unsupported',
  'agent_timeout',
  'agent_gone',
  'agent_refused',
  'password_refused',
  'busy',
  'not_signed_in',
  'not_found',
  'too_many',
  'protocol',
] as const;
export type OpeningFailureCode = (typeof openingFailureCodes)[number];

/** Why the page refused to sign. The checks run in this order, and the answer names the first that fails. */
export const signRefusalCodes = [
  'not_waiting',
  'not_userauth',
  'trailing_bytes',
  'wrong_user',
  'unknown_key',
  'algorithm',
  'host_key_mismatch',
  'host_binding',
  'not_host_bound',
  'replayed',
] as const;
export type SignRefusalCode = (typeof signRefusalCodes)[number];
