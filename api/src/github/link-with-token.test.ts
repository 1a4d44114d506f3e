import type { Github, GithubApp, UnlinkedGithub } from '@homeport/contract/github/schema';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bodyOf } from '../http/testing.ts';
import { type GithubConsole, linkGithub, signInWithGithub, startGithubConsole } from '../testing/github.ts';

const fineGrained = 'github_pat_11AAAAAAA0abcdefghij';
const classic = 'ghp_0123456789abcdefghij';

const bodyFor = ({ app }: GithubConsole['github']) => ({ client: app.clientId, secret: app.clientSecret });

let opened: GithubConsole;
/** A console that works with GitHub and has no OAuth app there. */
beforeEach(async () => {
  opened = await startGithubConsole({}, {}, { app: null });
});
afterEach(() => opened[Symbol.asyncDispose]());

describe('a link by an access token', () => {
  it('lists repositories and allows deployments, on a console without an OAuth app', async () => {
    const { api, github } = opened;
    const ines = await api.signUp('ines');
    const octo = await github.addPerson('octo');
    await github.addRepository({ owner: 'octo', name: 'shop', private: true });
    await github.grant(fineGrained, { person: octo.id, scopes: ['repo', 'workflow'] });
    const linked = bodyOf<Github>(await ines.call('POST /api/github/token', { token: fineGrained }), 200);
    expect(linked).toMatchObject({
      canConsent: false,
      account: { kind: 'fine_grained', login: 'octo', canDeploy: true, tokenEnd: fineGrained.slice(-4) },
    });
    const list = await ines.call('POST /api/github/repositories/refresh', {});
    expect(list.body).toMatchObject({ repositories: [{ fullName: 'octo/shop' }], accessUrl: null });
    expect(JSON.stringify([linked, list.body])).not.toContain(fineGrained);
  });

  it('says that a classic token without its scopes does not allow deployments', async () => {
    const { api, github } = opened;
    const ines = await api.signUp('ines');
    const octo = await github.addPerson('octo');
    await github.grant(classic, { person: octo.id, scopes: ['repo'] });
    const narrow = bodyOf<Github>(await ines.call('POST /api/github/token', { token: classic }), 200);
    expect(narrow.account).toMatchObject({ kind: 'token', canDeploy: false });
    await github.grant(classic, { person: octo.id, scopes: ['repo', 'workflow'] });
    const wide = bodyOf<Github>(await ines.call('POST /api/github/token', { token: classic }), 200);
    expect(wide.account).toMatchObject({ canDeploy: true });
  });

  it('is refused beside its field where GitHub does not accept the token', async () => {
    const ines = await opened.api.signUp('ines');
    const answer = await ines.call('POST /api/github/token', { token: fineGrained });
    expect(answer).toMatchObject({
      status: 400,
      body: { fields: { token: 'GitHub does not accept this token.' } },
    });
    expect((await ines.call('GET /api/github')).body).toMatchObject({ account: null });
  });

  it('does not take the account of somebody else here', async () => {
    const { api, github } = opened;
    const [ines, eve] = [await api.signUp('ines'), await api.signUp('eve')];
    const octo = await github.addPerson('octo');
    await github.grant(fineGrained, { person: octo.id, scopes: [] });
    bodyOf(await ines.call('POST /api/github/token', { token: fineGrained }), 200);
    expect((await eve.call('POST /api/github/token', { token: fineGrained })).status).toBe(409);
    expect((await ines.call('GET /api/github')).body).toMatchObject({ account: { login: 'octo' } });
  });

  it('ends here when it is unlinked, and the page where the person deletes the token is named', async () => {
    const { api, github } = opened;
    const ines = await api.signUp('ines');
    const octo = await github.addPerson('octo');
    await github.grant(fineGrained, { person: octo.id, scopes: [] });
    await ines.call('POST /api/github/token', { token: fineGrained });
    const left = bodyOf<UnlinkedGithub>(await ines.call('POST /api/github/unlink'), 200);
    expect(left).toMatchObject({
      account: null,
      grantLeftAt: `${github.url}/settings/personal-access-tokens`,
    });
  });
});

describe('the OAuth app that the owner enters', () => {
  it('opens linking and sign-in at once, keeps its secret sealed, and is the owner’s alone', async () => {
    const { api, github } = opened;
    const [owner, eve] = [await api.signUp('ines'), await api.signUp('eve')];
    expect((await owner.call('POST /api/github/link')).status).toBe(409);
    for (const call of ['GET /api/github/app', 'DELETE /api/github/app'] as const)
      expect((await eve.call(call)).status).toBe(403);
    expect((await eve.call('PUT /api/github/app', bodyFor(github))).status).toBe(403);
    const kept = bodyOf<GithubApp>(await owner.call('PUT /api/github/app', bodyFor(github)), 200);
    expect(kept).toMatchObject({ clientId: github.app.clientId, from: 'page' });
    expect(JSON.stringify(kept)).not.toContain(github.app.clientSecret);
    const [row] = await api.store.db.selectFrom('console_credentials').selectAll().execute();
    expect(row?.sealed.includes(github.app.clientSecret)).toBe(false);

    const octo = await github.addPerson('octo');
    bodyOf(await linkGithub(eve, octo), 200);
    expect((await api.visitor().call('GET /api/configuration')).body).toMatchObject({ githubSignIn: true });
    expect((await signInWithGithub(api.visitor(), octo)).status).toBe(200);

    bodyOf(await owner.call('DELETE /api/github/app'), 200);
    expect((await owner.call('POST /api/github/link')).status).toBe(409);
  });

  it('gives way to the app of the settings', async () => {
    await using set = await startGithubConsole();
    const owner = await set.api.signUp('ines');
    expect((await owner.call('GET /api/github/app')).body).toMatchObject({ from: 'settings' });
    expect((await owner.call('PUT /api/github/app', bodyFor(set.github))).status).toBe(409);
  });
});
