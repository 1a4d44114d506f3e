import type { Github, UnlinkedGithub } from '@homeport/contract/github/schema';
import {
  type GithubProcess,
  type HostileAnswer,
  hostileAnswers,
  startGithub,
} from '@homeport/stand-ins/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Answer, bodyOf, startTestApi, type TestApi } from '../http/testing.ts';
import { agree, linkGithub, settingsOf } from '../testing/github.ts';
import { wholeStore } from '../testing/whole-store.ts';

let github: GithubProcess;
let api: TestApi;
beforeAll(async () => {
  github = await startGithub();
  api = await startTestApi({ github: settingsOf(github) });
});
afterEach(() => github.answerWell());
afterAll(async () => {
  await api?.[Symbol.asyncDispose]();
  await github?.[Symbol.asyncDispose]();
});

const exchange = 'POST /login/oauth/access_token';
const person = 'GET /user';
const addresses = 'GET /user/emails';

let callers = 0;
/** One address begins a sign-in only so often. */
function from(): Record<string, string> {
  callers += 1;
  return { 'x-forwarded-for': `10.0.${callers >> 8}.${callers & 255}` };
}

function expectPlain(answer: Answer, what: string): void {
  expect([409, 429, 403, 503], what).toContain(answer.status);
  expect(answer.body, what).toMatchObject({
    message: expect.stringMatching(/^GitHub did not confirm your account\. [^<>]*$/),
  });
  expect(JSON.stringify(answer.body), what).not.toMatch(/gho_|ECONN|undici|127\.0\.0\.1|\.ts:\d/);
}

const tokens = async () => (await github.grants()).map(({ token }) => token);

async function signIn(
  name: string,
  spoil: () => Promise<void>,
): Promise<{ answer: Answer; isSignedIn: boolean }> {
  const visitor = api.visitor();
  const begun = await visitor.call('POST /api/auth/sign-in/github/begin', {}, from());
  const back = await agree(bodyOf<{ url: string }>(begun, 200).url, await github.addPerson(name));
  await spoil();
  const answer = await visitor.call('POST /api/auth/sign-in/github', back, from());
  return { answer, isSignedIn: (await visitor.call('GET /api/session')).status === 200 };
}

const name = (kind: HostileAnswer, part: string) => `${part}-${kind.replaceAll('_', '-')}`;

test.each(hostileAnswers)(
  'a sign-in that GitHub answers with %s makes no account and leaves no token',
  async (kind) => {
    const before = await tokens();
    for (const [index, request] of [exchange, person, addresses].entries()) {
      const { answer, isSignedIn } = await signIn(name(kind, `new-${index}`), () =>
        github.answerBadly(request, kind),
      );
      await github.answerWell();
      expectPlain(answer, request);
      expect(isSignedIn, request).toBe(false);
    }
    expect(await tokens()).toEqual(before);
    expect(await wholeStore(api.store.db)).not.toContain(name(kind, 'new-'));
    expect((await signIn(name(kind, 'good'), async () => undefined)).isSignedIn).toBe(true);
  },
  60_000,
);

test.each(hostileAnswers)(
  'a link that GitHub answers with %s links nothing, and an unlinking forgets its token',
  async (kind) => {
    const ines = await api.signUp(name(kind, 'ines'));
    const octo = await github.addPerson(name(kind, 'octo'));
    const before = await tokens();
    const linked = async () => bodyOf<Github>(await ines.call('GET /api/github'), 200).account?.login ?? null;
    for (const request of [exchange, person]) {
      const { url } = bodyOf<{ url: string }>(await ines.call('POST /api/github/link'), 200);
      const back = await agree(url, octo);
      await github.answerBadly(request, kind);
      const answer = await ines.call('POST /api/github/link/finish', back);
      await github.answerWell();
      expectPlain(answer, request);
      expect(await linked(), request).toBeNull();
    }
    expect(await tokens()).toEqual(before);

    bodyOf(await linkGithub(ines, octo), 200);
    expect(await linked()).toBe(octo.login);
    await github.answerBadly('DELETE /applications/', kind);
    // The grant may still stand there, so the answer says where the person revokes it.
    expect(bodyOf<UnlinkedGithub>(await ines.call('POST /api/github/unlink'), 200)).toMatchObject({
      account: null,
      grantLeftAt: `${github.url}/settings/connections/applications/${github.app.clientId}`,
    });
    expect(await linked()).toBeNull();
    const rows = await api.store.db
      .selectFrom('linked_accounts')
      .select('id')
      .where('owner_id', '=', ines.userId)
      .execute();
    expect(rows).toEqual([]);
  },
  60_000,
);
