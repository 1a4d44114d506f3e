import type { Github, UnlinkedGithub } from '@homeport/contract/github/schema';
import type { Session } from '@homeport/contract/identity/schema';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bodyOf, password, type TestVisitor } from '../http/testing.ts';
import {
  agree,
  type GithubConsole,
  linkGithub,
  signInWithGithub,
  startGithubConsole,
} from '../testing/github.ts';
import { nextTotpOf, totpOf, wrongTotpOf } from '../testing/totp.ts';

let opened: GithubConsole;
let now = Date.now();
beforeEach(async () => {
  now = Date.now();
  opened = await startGithubConsole({}, { clock: () => now });
});
afterEach(() => opened[Symbol.asyncDispose]());

const begin = async (visitor = opened.api.visitor()) =>
  bodyOf<{ url: string }>(await visitor.call('POST /api/auth/sign-in/github/begin', {}), 200).url;

describe('a sign-in with GitHub', () => {
  it('makes an account with the verified address, and finds it again by the number', async () => {
    const { api, github } = opened;
    const octo = await github.addPerson('octo-ines', 'ines@example.com');
    const first = await signInWithGithub(api.visitor(), octo);
    const { user } = bodyOf<{ user: { id: string } }>(first, 200);
    expect(user).toMatchObject({
      email: 'ines@example.com',
      name: 'octo-ines of GitHub',
      emailVerified: true,
    });
    // Another name and another address there: the number is the identity.
    await github.changePerson(octo.id, {
      login: 'renamed',
      emails: [{ email: 'other@example.com', primary: true, verified: true }],
    });
    const visitor = api.visitor();
    const again = bodyOf<{ user: { id: string } }>(await signInWithGithub(visitor, octo), 200);
    expect(again.user.id).toBe(user.id);
    const session = bodyOf<Session>(await visitor.call('GET /api/session'), 200);
    expect(session).toMatchObject({ githubLinked: true, user: { id: user.id } });
  });

  it('leaves an account with the same address alone', async () => {
    const { api, github } = opened;
    await api.signUp('ines');
    const answer = await signInWithGithub(api.visitor(), await github.addPerson('thief', 'ines@example.com'));
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(answer.body).toMatchObject({ recovery: expect.stringContaining('with its password') });
    expect(await github.grants()).toHaveLength(0);
  });

  it('makes no account without a verified address', async () => {
    const { api, github } = opened;
    const octo = await github.addPerson('octo');
    const emails = [{ email: 'octo@example.com', primary: true, verified: false }];
    await github.changePerson(octo.id, { emails });
    expect((await signInWithGithub(api.visitor(), octo)).status).toBe(409);
  });

  it('asks with S256, for little, and with a state that works once and in its browser only', async () => {
    const { api, github } = opened;
    const octo = await github.addPerson('octo');
    const [mine, other] = [api.visitor(), api.visitor()];
    const url = new URL(await begin(mine));
    expect(url.searchParams.get('code_challenge_method')).toBe('S256');
    expect(url.searchParams.get('scope')).toBe('read:user user:email');
    await begin(other);
    const back = await agree(url.href, octo);
    const finish = (visitor = mine) => visitor.call('POST /api/auth/sign-in/github', back);
    expect((await finish(other)).status).toBe(400);
    expect((await finish()).status).toBe(400);
    const fresh = await agree(await begin(mine), octo);
    expect((await mine.call('POST /api/auth/sign-in/github', { ...fresh, state: back.state })).status).toBe(
      400,
    );
  });

  it('names the browser in a cookie that no other host can plant', async () => {
    await using secure = await startGithubConsole({ publicUrl: 'https://console.example' });
    const answer = await secure.api
      .visitor()
      .call('POST /api/auth/sign-in/github/begin', {}, { origin: 'https://console.example' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-homeport\.github_visit=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  it('refuses a visit that took longer than ten minutes', async () => {
    const { api, github } = opened;
    const visitor = api.visitor();
    const back = await agree(await begin(visitor), await github.addPerson('octo'));
    now += 10 * 60_000 + 1;
    expect((await visitor.call('POST /api/auth/sign-in/github', back)).status).toBe(400);
  });

  it('refuses the code of a visit that links, and the other way round', async () => {
    const { api, github } = opened;
    const ines = await api.signUp('ines');
    const octo = await github.addPerson('octo');
    const link = bodyOf<{ url: string }>(await ines.call('POST /api/github/link'), 200);
    expect((await ines.call('POST /api/auth/sign-in/github', await agree(link.url, octo))).status).toBe(400);
    const back = await agree(await begin(ines), octo);
    expect((await ines.call('POST /api/github/link/finish', back)).status).toBe(400);
  });

  it('needs our own origin', async () => {
    const foreign = { origin: 'https://evil.example' };
    const answer = await opened.api.visitor().call('POST /api/auth/sign-in/github/begin', {}, foreign);
    expect(answer.status).toBe(403);
  });

  it('slows an address down that begins again and again', async () => {
    const visitor = opened.api.visitor();
    const statuses: number[] = [];
    for (let tries = 0; tries < 40; tries += 1)
      statuses.push((await visitor.call('POST /api/auth/sign-in/github/begin', {})).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(30);
    expect(statuses.at(-1)).toBe(429);
  });

  it('is in the list of security events', async () => {
    const { api, github } = opened;
    const octo = await github.addPerson('octo');
    await signInWithGithub(api.visitor(), octo);
    const visitor = api.visitor();
    await signInWithGithub(visitor, octo);
    await expect
      .poll(async () => JSON.stringify((await visitor.call('GET /api/security-events')).body))
      .toMatch(/signed_in.*signed_up/);
  });
});

describe('a second step after GitHub', () => {
  const turnOn = async (who: TestVisitor) => {
    const begun = await who.call('POST /api/auth/two-factor/enable', { password });
    const { totpURI, backupCodes } = bodyOf<{ totpURI: string; backupCodes: string[] }>(begun, 200);
    const code = totpOf(totpURI, now);
    expect((await who.call('POST /api/auth/two-factor/verify-totp', { code })).status).toBe(200);
    return { totpURI, backupCodes };
  };
  const isSignedIn = async (who: TestVisitor) => (await who.call('GET /api/session')).status === 200;

  it.each(['linked before it is turned on', 'linked after it is turned on'])(
    'is asked for by an account that was %s',
    async (order) => {
      const { api, github } = opened;
      const ines = await api.signUp('ines');
      const octo = await github.addPerson('octo');
      const linksFirst = order.includes('before');
      if (linksFirst) expect((await linkGithub(ines, octo)).status).toBe(200);
      const { totpURI } = await turnOn(ines);
      if (!linksFirst) expect((await linkGithub(ines, octo)).status).toBe(200);

      const visitor = api.visitor();
      const half = await signInWithGithub(visitor, octo);
      expect(half).toMatchObject({ status: 200, body: { twoFactorRedirect: true } });
      expect(half.body).not.toHaveProperty('user');
      expect(await isSignedIn(visitor)).toBe(false);
      const wrong = await visitor.call('POST /api/auth/two-factor/verify-totp', {
        code: wrongTotpOf(totpURI),
      });
      expect(wrong).toMatchObject({ status: 400, body: { fields: { code: expect.any(String) } } });
      expect(await isSignedIn(visitor)).toBe(false);
      const code = nextTotpOf(totpURI);
      const right = await visitor.call('POST /api/auth/two-factor/verify-totp', { code });
      expect(right).toMatchObject({ status: 200, body: { user: { id: ines.userId } } });
      expect(await isSignedIn(visitor)).toBe(true);
      await expect
        .poll(async () => JSON.stringify((await visitor.call('GET /api/security-events')).body))
        .toMatch(/signed_in.*sign_in_failed/);
    },
  );

  it('takes a recovery code once, and ends after five wrong codes', async () => {
    const { api, github } = opened;
    const ines = await api.signUp('ines');
    const octo = await github.addPerson('octo');
    await linkGithub(ines, octo);
    const { backupCodes, totpURI } = await turnOn(ines);
    const [code = ''] = backupCodes;
    const first = api.visitor();
    await signInWithGithub(first, octo);
    expect((await first.call('POST /api/auth/two-factor/verify-backup-code', { code })).status).toBe(200);
    const second = api.visitor();
    await signInWithGithub(second, octo);
    const statuses: number[] = [];
    for (let tries = 0; tries < 6; tries += 1)
      statuses.push((await second.call('POST /api/auth/two-factor/verify-backup-code', { code })).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 401]);
    const late = { code: nextTotpOf(totpURI) };
    expect((await second.call('POST /api/auth/two-factor/verify-totp', late)).status).toBe(401);
    expect(await isSignedIn(second)).toBe(false);
  });

  it('changes nothing before the code: neither the grant nor another person’s session', async () => {
    const { api, github } = opened;
    const [ines, eve] = [await api.signUp('ines'), await api.signUp('eve')];
    const octo = await github.addPerson('octo');
    await linkGithub(ines, octo);
    await turnOn(ines);
    const kept = await github.grants();
    // Somebody else is signed in in this browser. The code must not be read as a code of that account.
    expect(await signInWithGithub(eve, octo)).toMatchObject({ body: { twoFactorRedirect: true } });
    expect(await isSignedIn(eve)).toBe(false);
    expect(kept).toHaveLength(1);
    expect(await github.grants()).toEqual(kept);
  });
});

describe('the sign-up policy', () => {
  it('holds for GitHub: nobody new enters a closed console', async () => {
    await using closed = await startGithubConsole({ loopback: false, signUps: 'closed' });
    const { api, github } = closed;
    const owner = await github.addPerson('owner');
    expect((await signInWithGithub(api.visitor(), owner)).status).toBe(200);
    const refused = await signInWithGithub(api.visitor(), await github.addPerson('second'));
    expect(refused).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
    expect((await signInWithGithub(api.visitor(), owner)).status).toBe(200);
    expect((await github.grants()).map(({ login }) => login)).toEqual(['owner']);
  });

  it('takes an invitation for the address that GitHub has verified', async () => {
    await using inviting = await startGithubConsole({ loopback: false, signUps: 'invite' });
    const { api, github } = inviting;
    const owner = await api.signUp('owner');
    expect((await signInWithGithub(api.visitor(), await github.addPerson('nobody'))).status).toBe(403);
    await owner.call('POST /api/invitations', { email: 'guest@example.com' });
    const invitation = /signup\S*#token=([\w-]+)/.exec(api.announced.join('\n'))?.[1] ?? '';
    const other = await signInWithGithub(api.visitor(), await github.addPerson('other'), { invitation });
    expect(other).toMatchObject({ status: 400, body: { fields: { email: expect.anything() } } });
    const guest = await github.addPerson('guest', 'guest@example.com');
    expect((await signInWithGithub(api.visitor(), guest, { invitation })).status).toBe(200);
    expect(
      (await signInWithGithub(api.visitor(), await github.addPerson('late'), { invitation })).status,
    ).toBe(403);
  });
});

describe('a console without an OAuth app', () => {
  it('says so, and has no way in', async () => {
    await using plain = await startGithubConsole({ github: null });
    const visitor = plain.api.visitor();
    const told = await visitor.call('GET /api/configuration');
    expect(told.body).toMatchObject({ githubSignIn: false });
    expect((await visitor.call('POST /api/auth/sign-in/github/begin', {})).status).toBe(409);
    const ines = await plain.api.signUp('ines');
    expect((await ines.call('GET /api/github')).body).toMatchObject({ canConsent: false, account: null });
    expect((await ines.call('POST /api/github/link')).status).toBe(409);
  });
});

describe('linking', () => {
  it('asks for what a deployment needs, and keeps it through a later sign-in', async () => {
    const { api, github } = opened;
    const ines = await api.signUp('ines');
    const octo = await github.addPerson('octo');
    const linked = bodyOf<Github>(await linkGithub(ines, octo), 200);
    expect(linked.account).toMatchObject({
      login: 'octo',
      canDeploy: true,
      linkAgain: false,
      hasOtherWay: true,
    });
    const later = api.visitor();
    expect((await signInWithGithub(later, octo)).status).toBe(200);
    const now = bodyOf<Github>(await later.call('GET /api/github'), 200);
    expect(now.account?.canDeploy).toBe(true);
    // The token of the sign-in was ended.
    expect(await github.grants()).toHaveLength(1);
  });

  it('links one person of GitHub to one person here', async () => {
    const { api, github } = opened;
    const [ines, eve] = [await api.signUp('ines'), await api.signUp('eve')];
    const octo = await github.addPerson('octo');
    expect((await linkGithub(ines, octo)).status).toBe(200);
    expect((await linkGithub(eve, octo)).status).toBe(409);
    expect((await linkGithub(ines, await github.addPerson('second'))).status).toBe(409);
    expect((await eve.call('GET /api/github')).body).toMatchObject({ account: null });
    expect((await linkGithub(ines, octo)).status).toBe(200);
  });

  it('ends the grant at GitHub when it is undone, and not the only way in', async () => {
    const { api, github } = opened;
    const octo = await github.addPerson('octo');
    const only = api.visitor();
    await signInWithGithub(only, octo);
    expect(await only.call('POST /api/github/unlink')).toMatchObject({ status: 409 });
    const ines = await api.signUp('ines');
    await linkGithub(ines, await github.addPerson('second'));
    expect(await github.grants()).toHaveLength(2);
    const left = bodyOf<UnlinkedGithub>(await ines.call('POST /api/github/unlink'), 200);
    expect(left).toMatchObject({ account: null, grantLeftAt: null });
    expect(await github.grants()).toHaveLength(1);
    const again = await ines.call('POST /api/auth/sign-in/email', { email: ines.email, password });
    expect(again.status).toBe(200);
  });

  it('is undone without a word about the grant where the person has revoked it at GitHub already', async () => {
    const { api, github } = opened;
    const ines = await api.signUp('ines');
    await linkGithub(ines, await github.addPerson('octo'));
    await github.revokeAll();
    expect((await ines.call('POST /api/github/unlink')).body).toMatchObject({ grantLeftAt: null });
  });

  it('is undone where its token does not open any more, and the grant is said to be left', async () => {
    const { api, github } = opened;
    const ines = await api.signUp('ines');
    await linkGithub(ines, await github.addPerson('octo'));
    await api.store.db
      .updateTable('linked_accounts')
      .set({ sealed: Buffer.alloc(60) })
      .execute();
    expect((await ines.call('POST /api/github/unlink')).body).toMatchObject({
      account: null,
      grantLeftAt: expect.stringContaining('/settings/connections/applications/'),
    });
  });

  it('is refused with plain words when the person says no at GitHub', async () => {
    const ines = await opened.api.signUp('ines');
    const link = bodyOf<{ url: string }>(await ines.call('POST /api/github/link'), 200);
    expect(await agree(link.url, null)).toMatchObject({ error: 'access_denied' });
  });
});
