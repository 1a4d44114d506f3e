import { createHash, createHmac } from 'node:crypto';
import { z } from 'zod';
import { ProblemError } from '../http/problem.ts';
import { exchange, parseJson } from './client.ts';
import { GithubFailure, toProblem } from './refusal.ts';
import { type GithubSettings, type OAuthApp, restAddress } from './settings.ts';

/** One visit to GitHub's page: where it leads back, and what keeps another person's code out. */
export type Visit = {
  /** Random; names the visit. */
  state: string;
  /** The page of the console that the browser comes back to. */
  returnTo: string;
};

/**
 * The verifier of PKCE (RFC 7636) is made from the state and the console's secret, so that no store has to keep it: whoever learns
 * a code or the state cannot make a token of it.
 */
const verifierOf = (secret: string, state: string) =>
  createHmac('sha256', secret).update(`homeport github verifier\0${state}`).digest('base64url');

/** The address of GitHub's page that asks the person. */
export function consentAddress(
  { site }: GithubSettings,
  { clientId }: OAuthApp,
  { secret, visit, scopes }: { secret: string; visit: Visit; scopes: readonly string[] },
): string {
  const challenge = createHash('sha256').update(verifierOf(secret, visit.state)).digest('base64url');
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: visit.returnTo,
    scope: scopes.join(' '),
    state: visit.state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  return `${site}/login/oauth/authorize?${query}`;
}

const exchangedSchema = z.union([
  z.object({ access_token: z.string().min(8).max(500), scope: z.string().max(1_000) }),
  z.object({ error: z.string().max(100) }),
]);

export type Exchanged = { token: string; scopes: string[] };

/** Makes a token of a code. GitHub answers its refusals with status 200. */
export async function exchangeCode(
  settings: GithubSettings,
  { clientId, clientSecret }: OAuthApp,
  { secret, visit, code }: { secret: string; visit: Visit; code: string },
): Promise<Exchanged> {
  const { site } = settings;
  const { response, text } = await exchange(settings, new URL(`${site}/login/oauth/access_token`), {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'Homeport' },
    body: JSON.stringify({
      client_id: clientId,
      client_secret: clientSecret,
      code,
      redirect_uri: visit.returnTo,
      code_verifier: verifierOf(secret, visit.state),
    }),
  });
  if (response.status >= 500) throw new GithubFailure({ kind: 'server_error', status: response.status });
  const read = exchangedSchema.safeParse(parseJson(text));
  if (!read.success) throw new GithubFailure({ kind: 'unreadable' });
  if ('error' in read.data) throw refusedCode(read.data.error);
  const { access_token: token, scope } = read.data;
  return { token, scopes: scope.split(/[ ,]/).filter((each) => each !== '') };
}

function refusedCode(error: string): ProblemError {
  if (error === 'bad_verification_code')
    return new ProblemError('invalid_input', 'This answer of GitHub has expired or was used already.', {
      recovery: 'Begin again.',
    });
  if (error === 'unverified_user_email')
    return new ProblemError('conflict', 'Your e-mail address at GitHub is not verified.', {
      recovery: 'Verify it at GitHub, then begin again.',
    });
  // `incorrect_client_credentials`, `redirect_uri_mismatch`: nothing that the person can mend.
  return new ProblemError('unavailable', 'GitHub does not accept the settings of this console.', {
    recovery:
      'Tell the operator of this console to compare HOMEPORT_GITHUB_CLIENT_ID, its secret and the callback address with the OAuth app at GitHub.',
  });
}

/** What a person reads of a sign-in or a link that failed. A token that GitHub refuses at once is no link that ended. */
export const consentProblem = (error: GithubFailure): ProblemError =>
  toProblem(
    error.refusal.kind === 'revoked' ? new GithubFailure({ kind: 'unreadable' }) : error,
    'confirm your account',
  );

/**
 * Ends tokens at GitHub: one, or with `grant` all that the person gave this console. Tells whether GitHub says that they are over. A
 * failure throws nothing, because the console forgets the token in any case.
 */
export async function endAtGithub(
  settings: GithubSettings,
  { clientId, clientSecret }: OAuthApp,
  what: 'token' | 'grant',
  token: string,
): Promise<boolean> {
  const { site } = settings;
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const address = new URL(`${restAddress(site)}/applications/${encodeURIComponent(clientId)}/${what}`);
  const told = await exchange(settings, address, {
    method: 'DELETE',
    headers: {
      authorization: `Basic ${basic}`,
      accept: 'application/vnd.github+json',
      'content-type': 'application/json',
      'user-agent': 'Homeport',
    },
    body: JSON.stringify({ access_token: token }),
  }).catch((error: unknown) => {
    if (!(error instanceof GithubFailure)) throw error;
    return null;
  });
  // 422: GitHub does not know the token any more (GitHub, "Delete an app authorization").
  return told !== null && [204, 422].includes(told.response.status);
}
