import type { RouteSchemas } from '@homeport/contract/route';
import type { SessionIdentity } from '@homeport/contract/services';
import { grants, type TokenScope } from '@homeport/contract/tokens/facts';
import { scopeOfRoute } from '@homeport/contract/tokens/route-scope';
import { ProblemError } from './problem.ts';

/** @throws ProblemError if the caller is a program with a token that does not allow this route. */
export function checkTokenScope(key: string, route: RouteSchemas, session: SessionIdentity | null): void {
  if (session?.scopes === undefined) return;
  const needed = scopeOfRoute(key, route);
  if (needed.kind === 'any') return;
  if (needed.kind === 'needs-browser') throw needsBrowser();
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

const recoveryOf = (scope: TokenScope) =>
  scope.endsWith(':propose')
    ? `Make a token for a coding agent with the scope ${scope} on the profile page, or sign the terminal in again.`
    : `Make a token with the scope ${scope} on the profile page.`;

/** What a program hears in place of `connection_required`: no page of its own could open the connection. */
export function inWordsForTokens(error: Error): Error {
  return error instanceof ProblemError && error.code === 'connection_required' ? needsBrowser() : error;
}

const needsBrowser = () =>
  new ProblemError(
    'not_allowed',
    'This works on a server over a connection that a browser opens with its SSH key, so an API token cannot do it. Nothing was changed.',
    { recovery: 'Open the console in the browser that holds the key, and do it there.' },
  );
