import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Answer } from './answer.ts';
import type { State } from './state.ts';

/** The OAuth app that the stand-in knows. */
export type OAuthApp = { clientId: string; clientSecret: string };

/** An HTML page or a redirect, which browsers see. */
export type Page = { status: number; html?: string; location?: string };

const askedSchema = z.object({
  client_id: z.string(),
  redirect_uri: z.url(),
  scope: z.string().default(''),
  state: z.string().min(1),
  code_challenge: z.string().length(43),
  code_challenge_method: z.literal('S256'),
});

/** The page that asks for consent: one button for each person, and one to refuse. */
export function consentPage(state: State, app: OAuthApp, query: URLSearchParams): Page {
  const asked = askedSchema.safeParse(Object.fromEntries(query));
  if (!asked.success || asked.data.client_id !== app.clientId)
    return {
      status: 400,
      html: page('The request is not valid', '<p>The console asked in a way that is not known.</p>'),
    };
  const { scope } = asked.data;
  const hidden = [...query].map(
    ([name, value]) => `<input type="hidden" name="${inHtml(name)}" value="${inHtml(value)}">`,
  );
  const choices = state.people.map(
    ({ id, login }) => `<p><button name="person" value="${id}">Authorize as ${inHtml(login)}</button></p>`,
  );
  return {
    status: 200,
    html: page(
      'Authorize Homeport',
      `<p>This is the stand-in of GitHub. Homeport asks for: ${inHtml(scope) || 'nothing but your name'}.</p>
<form method="post" action="/login/oauth/authorize">${hidden.join('')}${choices.join('')}
<p><button name="person" value="">Cancel</button></p></form>`,
    ),
  };
}

/** The person's answer to the page, as a redirect back to the console. */
export function decide(state: State, app: OAuthApp, form: URLSearchParams): Page {
  const asked = askedSchema.parse(Object.fromEntries(form));
  const back = new URL(asked.redirect_uri);
  back.searchParams.set('state', asked.state);
  const person = state.people.find(({ id }) => String(id) === form.get('person'));
  if (!person || asked.client_id !== app.clientId) {
    back.searchParams.set('error', 'access_denied');
    back.searchParams.set('error_description', 'The user has denied your application access.');
  } else {
    const code = randomBytes(10).toString('hex');
    state.codes.set(code, {
      person,
      scopes: asked.scope.split(' ').filter(Boolean),
      challenge: asked.code_challenge,
      redirectUri: asked.redirect_uri,
    });
    back.searchParams.set('code', code);
  }
  return { status: 302, location: back.href };
}

const exchangeSchema = z.object({
  client_id: z.string(),
  client_secret: z.string(),
  code: z.string(),
  redirect_uri: z.string(),
  code_verifier: z.string(),
});

/** Errors come with status 200. A code works once. */
export function exchange(state: State, app: OAuthApp, body: unknown): Answer {
  const asked = exchangeSchema.safeParse(body);
  const failed = (error: string) => ({
    status: 200,
    body: { error, error_description: error, error_uri: 'https://docs.github.com/' },
  });
  if (!asked.success) return failed('bad_verification_code');
  const { client_id, client_secret, code, redirect_uri, code_verifier } = asked.data;
  if (client_id !== app.clientId || client_secret !== app.clientSecret)
    return failed('incorrect_client_credentials');
  const consent = state.codes.get(code);
  state.codes.delete(code);
  const challenge = createHash('sha256').update(code_verifier).digest('base64url');
  if (!consent || consent.challenge !== challenge) return failed('bad_verification_code');
  if (consent.redirectUri !== redirect_uri) return failed('redirect_uri_mismatch');
  const token = `gho_${randomBytes(18).toString('hex')}`;
  state.grants.set(token, { person: consent.person, scopes: consent.scopes });
  return {
    status: 200,
    body: { access_token: token, scope: consent.scopes.join(','), token_type: 'bearer' },
  };
}

/** `DELETE /applications/{client_id}/token` and `…/grant`: ends one token, or all of the person's. */
export function endGrant(state: State, part: string, body: unknown): Answer {
  const { access_token: token } = z.object({ access_token: z.string() }).parse(body);
  const grant = state.grants.get(token);
  if (!grant) return { status: 422, body: { message: 'Validation Failed', documentation_url: '' } };
  for (const [each, { person }] of state.grants)
    if (each === token || (part === 'grant' && person.id === grant.person.id)) state.grants.delete(each);
  return { status: 204 };
}

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${inHtml(title)}</title><main><h1>${inHtml(title)}</h1>${body}</main></html>`;

const inHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
