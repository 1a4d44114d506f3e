import { createHash } from 'node:crypto';
import {
  consoleUser,
  terminalWordCharacters,
  terminalWordHeader,
} from '@homeport/contract/connections/facts';
import type { RouteSchemas } from '@homeport/contract/route';
import type { SessionIdentity } from '@homeport/contract/services';
import { grants, type TokenScope, tokenCharacters, tokenPrefix } from '@homeport/contract/tokens/facts';
import { connectScope, scopeOfRoute, worksOverTerminal } from '@homeport/contract/tokens/route-scope';
import type { FastifyRequest } from 'fastify';
import { ProblemError } from './problem.ts';

type WithHeaders = Pick<FastifyRequest, 'headers'>;

/**
 * The API token that a request carries as `Authorization: Bearer`. Null without one: a header that a reverse
 * proxy adds for itself does not begin like our tokens.
 */
export function bearerOf({ headers }: WithHeaders): string | null {
  const [scheme = '', token = '', ...rest] = headers.authorization?.split(' ') ?? [];
  if (rest.length > 0 || scheme.toLowerCase() !== 'bearer' || !token.startsWith(tokenPrefix)) return null;
  return token.length === tokenPrefix.length + tokenCharacters ? token : null;
}

/** @throws ProblemError if the caller is a program with a token that does not allow this route. */
export function checkTokenScope(
  key: string,
  route: RouteSchemas,
  session: SessionIdentity | null,
  request: WithHeaders,
): void {
  if (session?.scopes === undefined) return;
  const needed = scopeOfRoute(key, route);
  if (needed.kind === 'any') return;
  if (needed.kind === 'needs-browser') {
    if (sessionForHandler(key, session, request).connects !== undefined) return;
    throw needsBrowser();
  }
  if (needed.kind === 'person')
    throw new ProblemError('not_allowed', 'An API token cannot do this. Nothing was changed.', {
      recovery: 'Sign in to the console with a browser and do it there.',
    });
  if (!grants(session.scopes, needed.scope))
    throw new ProblemError(
      'not_allowed',
      `This API token lacks the scope ${needed.scope}. Nothing was changed.`,
      { recovery: recoveryOf(needed.scope) },
    );
}

function recoveryOf(scope: TokenScope): string {
  if (scope.endsWith(':connect'))
    return 'Only a terminal opens connections. Sign it in with `homeport login`.';
  return scope.endsWith(':propose')
    ? `Make a token for a coding agent with the scope ${scope} on the profile page, or sign the terminal in again.`
    : `Make a token with the scope ${scope} on the profile page.`;
}

/**
 * The session under which the handler of a route finds connections. A terminal's are found by token and word together, and on the few
 * routes that work over them; everywhere else the token's own session is asked for, which has none.
 *
 * @throws ProblemError for a connection that would belong to the token alone
 */
export function sessionForHandler(
  key: string,
  session: SessionIdentity,
  request: WithHeaders,
): SessionIdentity {
  if (session.scopes === undefined || !worksOverTerminal(key)) return session;
  const word = request.headers[terminalWordHeader];
  const isWord = typeof word === 'string' && word.length === terminalWordCharacters && /^[\w-]+$/.test(word);
  if (isWord && grants(session.scopes, connectScope))
    return { ...session, sessionId: idOfTerminal(session.sessionId, word), connects: session.sessionId };
  if (key.endsWith('/connection'))
    throw new ProblemError(
      'invalid_input',
      `Send the header ${terminalWordHeader} with 32 random bytes in base64url.`,
    );
  return session;
}

/** A UUID (version 8, RFC 9562) that nobody finds who lacks the token's id or the word. */
function idOfTerminal(tokenId: string, word: string): string {
  const bytes = createHash('sha256').update(`${tokenId} ${word}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** A request of a program: the route that it asked for, and as whom. */
export type TokenCall = { key: string; session: SessionIdentity };

/**
 * What a program hears in place of `connection_required`. Only a terminal could open the connection itself, as the account `homeport` and
 * for the routes that work over it.
 */
export function inWordsForTokens(error: Error, { key, session }: TokenCall): Error {
  if (!(error instanceof ProblemError) || error.code !== 'connection_required') return error;
  const canOpen =
    worksOverTerminal(key) &&
    grants(session.scopes ?? [], connectScope) &&
    error.details.connection?.user === consoleUser;
  return canOpen ? error : needsBrowser();
}

const needsBrowser = () =>
  new ProblemError(
    'not_allowed',
    'This works on a server over a connection that a browser opens with its SSH key, so an API token cannot do it. Nothing was changed.',
    { recovery: 'Open the console in the browser that holds the key, and do it there.' },
  );
