import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { githubContract } from '../../testing/github-document.ts';
import { type GithubStandIn, startGithub } from './index.ts';
import { addRepository } from './state.ts';

const contract = githubContract();
const open: GithubStandIn[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) {
    expect(each.violations).toEqual([]);
    await each[Symbol.asyncDispose]();
  }
});

async function start() {
  const github = await startGithub({ checks: contract });
  open.push(github);
  const octo = {
    id: 583_231,
    login: 'octo-ines',
    name: 'Ines',
    emails: [{ email: 'ines@example.com', primary: true, verified: true }],
  };
  github.state.people.push(octo);
  const repository = addRepository(github.state, {
    owner: octo,
    name: 'ledger',
    private: true,
    files: { 'README.md': '# Ledger\n' },
  });
  const token = await consent(github, 'read:user user:email repo workflow');
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${github.url}/api/v3${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'user-agent': 'test', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
  return { github, repository, ask, token };
}

async function consent(github: GithubStandIn, scope: string): Promise<string> {
  const verifier = randomBytes(32).toString('base64url');
  const form = new URLSearchParams({
    client_id: github.app.clientId,
    redirect_uri: 'http://127.0.0.1:7070/login',
    scope,
    state: 'abc',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const page = await fetch(`${github.url}/login/oauth/authorize?${form}`);
  expect(await page.text()).toContain('Authorize as octo-ines');
  form.set('person', '583231');
  const back = await fetch(`${github.url}/login/oauth/authorize`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  const code = new URL(back.headers.get('location') ?? '').searchParams.get('code');
  const exchanged = await fetch(`${github.url}/login/oauth/access_token`, {
    method: 'POST',
    body: JSON.stringify({
      client_id: github.app.clientId,
      client_secret: github.app.clientSecret,
      code,
      redirect_uri: 'http://127.0.0.1:7070/login',
      code_verifier: verifier,
    }),
  });
  const { access_token: token } = (await exchanged.json()) as { access_token: string };
  return token;
}

describe('the stand-in of GitHub', () => {
  it('answers every operation as the published description has it', async () => {
    const { ask, repository } = await start();
    const at = '/repos/octo-ines/ledger';
    expect((await ask('GET', '/user')).body.id).toBe(583_231);
    expect((await ask('GET', '/user/emails')).body[0].verified).toBe(true);
    expect((await ask('GET', '/user/repos?per_page=100&sort=pushed')).body).toHaveLength(1);
    expect((await ask('GET', at)).body.full_name).toBe('octo-ines/ledger');
    expect((await ask('GET', `${at}/readme`)).status).toBe(200);
    const { body: branch } = await ask('GET', `${at}/branches/main`);
    expect(branch.protected).toBe(false);
    expect((await ask('GET', `${at}/git/ref/heads/main`)).body.object.sha).toBe(branch.commit.sha);
    expect(
      (await ask('POST', `${at}/git/refs`, { ref: 'refs/heads/more', sha: branch.commit.sha })).status,
    ).toBe(201);
    const path = `${at}/contents/.github%2Fworkflows%2Fdeploy.yml`;
    const made = await ask('PUT', path, { message: 'Deploy', content: 'YQ==' });
    expect(made.status).toBe(201);
    const pull = { title: 'Deploy', head: 'more', base: 'main', body: '' };
    expect((await ask('POST', `${at}/pulls`, pull)).status).toBe(201);
    expect((await ask('GET', `${at}/pulls?head=octo-ines:more&state=open`)).body).toHaveLength(1);
    const runs = await ask('GET', `${at}/actions/workflows/deploy.yml/runs?per_page=5`);
    expect(runs.body.workflow_runs[0].status).toBe('queued');
    expect((await ask('DELETE', path, { message: 'Stop', sha: made.body.content.sha })).status).toBe(200);
    const key = `ssh-ed25519 ${Buffer.alloc(51, 7).toString('base64')}`;
    const added = await ask('POST', `${at}/keys`, { title: 'Homeport', key, read_only: true });
    expect(added.status).toBe(201);
    expect((await ask('GET', `${at}/keys`)).body).toHaveLength(1);
    expect((await ask('DELETE', `${at}/keys/${added.body.id}`)).status).toBe(204);
    expect((await ask('GET', `${at}/actions/secrets/public-key`)).body.key).toHaveLength(44);
    expect(repository.secrets.size).toBe(0);
  });

  it('leads to the archive of a commit, which the token of its address opens and the person’s does not', async () => {
    const { github, repository, token } = await start();
    const led = async (ref: string) =>
      fetch(`${github.url}/api/v3/repos/octo-ines/ledger/tarball/${ref}`, {
        headers: { authorization: `Bearer ${token}`, 'user-agent': 'test' },
        redirect: 'manual',
      });
    const answer = await led('main');
    expect(answer.status).toBe(302);
    const address = new URL(answer.headers.get('location') ?? '');
    const headers = { 'accept-encoding': 'identity' };
    const archive = await fetch(address, { headers });
    const listed = execFileSync('tar', ['-tz'], { input: Buffer.from(await archive.arrayBuffer()) });
    const top = `octo-ines-ledger-${repository.branches.get('main')?.commit.slice(0, 7)}/`;
    expect(listed.toString()).toBe(`${top}\n${top}README.md\n`);
    expect(github.violations).toEqual([]);
    const withToken = { headers: { ...headers, authorization: `Bearer ${token}` } };
    expect((await fetch(address, withToken)).status).toBe(404);
    address.searchParams.set('token', token);
    expect((await fetch(address)).status).toBe(404);
    const wrong = github.violations.splice(0).join('\n');
    expect(wrong).toContain('The host of archives gets no authorization.');
    expect(wrong).toContain('Another encoding would change the bytes of the archive.');
    expect(wrong).toContain('It was answered 404.');
    expect((await led('nowhere')).status).toBe(404);
  });

  it('asks for a page once, and answers 304 to the same entity tag', async () => {
    const { ask } = await start();
    const etag = (await ask('GET', '/user/repos')).headers.get('etag') ?? '';
    expect((await ask('GET', '/user/repos', undefined, { 'if-none-match': etag })).status).toBe(304);
  });

  it('takes a code once, and only with the verifier whose challenge the page had', async () => {
    const { github } = await start();
    const { clientId: client_id, clientSecret: client_secret } = github.app;
    const verifier = 'a'.repeat(43);
    const redirect_uri = 'http://127.0.0.1:7070/login';
    const exchange = async (code_verifier: string) => {
      const body = JSON.stringify({ client_id, client_secret, code: 'c', redirect_uri, code_verifier });
      const answer = await fetch(`${github.url}/login/oauth/access_token`, { method: 'POST', body });
      return Object.keys((await answer.json()) as object)[0];
    };
    const [person] = github.state.people;
    if (!person) throw new Error('The stand-in has nobody.');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const consented = { person, scopes: [], challenge, redirectUri: redirect_uri };
    github.state.codes.set('c', consented);
    expect(await exchange('b'.repeat(43))).toBe('error');
    expect(await exchange(verifier)).toBe('error');
    github.state.codes.set('c', consented);
    expect(await exchange(verifier)).toBe('access_token');
    expect(await exchange(verifier)).toBe('error');
  });
});

describe('a request that the description does not have', () => {
  it('is named', () => {
    const request = { query: new URLSearchParams({ colour: 'red' }), body: undefined };
    expect(contract.checkRequest({ ...request, method: 'GET', path: '/user' })).toEqual([
      '?colour is not a parameter.',
    ]);
    expect(contract.checkRequest({ ...request, method: 'GET', path: '/gists' })).toEqual([
      'GET /gists is not an operation.',
    ]);
    const body = { message: 'a', colour: 'red' };
    const path = '/repos/a/b/contents/c/d';
    expect(
      contract.checkRequest({ method: 'PUT', path, query: new URLSearchParams(), body }).join(' '),
    ).toContain('/colour is not a field.');
  });
});

describe('an archive that git would not write', () => {
  const exchange = {
    ...{ method: 'GET', path: '/codeload/octo/ledger/legacy.tar.gz/main', query: new URLSearchParams() },
    ...{ headers: { 'accept-encoding': 'identity' }, requestBody: '', status: 200 },
    contentType: 'application/x-gzip',
  };
  it.each([
    ['nothing', Buffer.alloc(0), 'The archive has no end of two empty blocks.'],
    ['only its end', Buffer.alloc(1_024), 'The archive does not begin with the name of its commit.'],
    ['another file', Buffer.alloc(1_024, 'x'), 'The checksum of'],
  ])('is named: %s', (_what, tar, told) => {
    expect(contract.checkArchive({ ...exchange, bytes: gzipSync(tar) }).join(' ')).toContain(told);
  });
});
