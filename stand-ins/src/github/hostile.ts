import type { ServerResponse } from 'node:http';

/** Answers that GitHub should not give, and that the console has to bear. */
export const hostileAnswers = [
  'html',
  'wrong_types',
  'huge',
  'endless',
  'redirect',
  'revoked',
  'rate_limited',
  'secondary_limit',
  'single_sign_on',
  'server_error',
  'hang_up',
] as const;
export type HostileAnswer = (typeof hostileAnswers)[number];

type Small = { status: number; body: string; headers: Record<string, string> };

const json = { 'content-type': 'application/json' };
const failure = (message: string) => JSON.stringify({ message, documentation_url: '' });

const small: Record<Exclude<HostileAnswer, 'huge' | 'endless' | 'hang_up'>, () => Small> = {
  html: () => ({
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: '<html><script>alert(1)</script>Sign in to the network</html>',
  }),
  wrong_types: () => ({
    status: 200,
    headers: json,
    body: '{"id":"<b>1</b>","login":7,"scope":[],"key":{}}',
  }),
  redirect: () => ({ status: 302, headers: { location: 'http://127.0.0.1:9/elsewhere' }, body: '' }),
  revoked: () => ({ status: 401, headers: json, body: failure('Bad credentials') }),
  rate_limited: () => ({
    status: 403,
    headers: {
      ...json,
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Math.ceil(Date.now() / 1_000) + 600),
    },
    body: failure('API rate limit exceeded'),
  }),
  secondary_limit: () => ({
    status: 429,
    headers: { ...json, 'retry-after': '30' },
    body: failure('You have exceeded a secondary rate limit.'),
  }),
  single_sign_on: () => ({
    status: 403,
    headers: { ...json, 'x-github-sso': 'required; url=https://github.com/orgs/octo/sso' },
    body: failure('Resource protected by organization SAML enforcement.'),
  }),
  server_error: () => ({ status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Unicorn!</h1>' }),
};

const hugeBytes = 10 * 1024 * 1024;

export function answerHostile(kind: HostileAnswer, response: ServerResponse): void {
  if (kind === 'hang_up') {
    response.destroy();
    return;
  }
  if (kind === 'huge') {
    response.writeHead(200, json).end(`[${'{"name":"x"},'.repeat(hugeBytes / 13)}null]`);
    return;
  }
  if (kind === 'endless') {
    // The answer begins and does not go on.
    response.writeHead(200, json).write('[');
    return;
  }
  const { status, headers, body } = small[kind]();
  response.writeHead(status, headers).end(body);
}
