import type { Github } from '@homeport/contract/github/schema';
import type { SessionIdentity } from '@homeport/contract/services';
import { z } from 'zod';
import { wrongField } from '../http/problem.ts';
import { type GithubDeps, readGithub } from './account.ts';
import { askWith } from './client.ts';
import { keepLink } from './link.ts';
import { GithubFailure, toProblem } from './refusal.ts';

const userSchema = z.object({
  id: z.number().int().positive(),
  login: z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,99}$/),
  name: z.string().max(1_000).nullish(),
});

/**
 * Links the account that an access token belongs to, for a console without an OAuth app. GitHub names the scopes of a classic token, and
 * nothing of a fine-grained one ("Scopes for OAuth apps", header X-OAuth-Scopes). Throws `invalid_input` for a token that GitHub refuses.
 */
export async function linkWithToken(
  deps: GithubDeps,
  session: SessionIdentity,
  token: string,
): Promise<Github> {
  const { person, scopes } = await readOwner(deps, token);
  const kind = scopes === null ? 'fine_grained' : 'token';
  // A person made the token, so a refused link leaves it as it is.
  await keepLink(deps, session, { person, granted: { token, scopes: scopes ?? [] }, kind }, async () => {});
  return readGithub(deps, session);
}

async function readOwner({ settings }: GithubDeps, token: string) {
  try {
    const answer = await askWith(settings, token)({ method: 'GET', path: '/user', reply: userSchema });
    if (answer.kind === 'unchanged') throw new Error('An answer without an entity tag cannot be unchanged.');
    const { id, login, name } = answer.body;
    return { person: { id, login, name: name ?? null }, scopes: answer.scopes };
  } catch (error) {
    if (!(error instanceof GithubFailure)) throw error;
    if (error.refusal.kind === 'revoked') throw wrongField('token', 'GitHub does not accept this token.');
    throw toProblem(error, 'confirm your account');
  }
}
