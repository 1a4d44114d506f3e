import type { TokenKind } from './tokens/facts.ts';

/** Who a request speaks for, once its session cookie has been checked. */
export type SessionIdentity = {
  userId: string;
  sessionId: string;
  name: string;
  email: string;
  emailVerified: boolean;
  /** Only where a personal API token speaks for the person: what it may do. `sessionId` is then the token's id. */
  scopes?: readonly string[];
  /** Of that token. */
  kind?: TokenKind;
  /**
   * Only where a terminal asks with connections of its own: the token's id, with which they end. `sessionId` is then theirs. Without a
   * connection, no operation begins.
   */
  connects?: string;
  /** By what the person knows that token. */
  token?: { name: string; lastFour: string };
};
