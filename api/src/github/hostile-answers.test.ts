import type { Github, UnlinkedGithub } from '@homeport/contract/github/schema';
import { type HostileAnswer, hostileAnswers } from '@homeport/stand-ins/github';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Answer, bodyOf, startTestApi, type TestApi } from '../http/testing.ts';
import { addPerson, agree, linkGithub, settingsOf, startTestGithub } from '../testing/github.ts';
import { wholeStore } from '../testing/whole-store.ts';

let github: Awaited<ReturnType<typeof startTestGithub>>;
let api: TestApi;
beforeAll(async () => {
  github = await startTestGithub();
  api = await startTestApi({ github: { ...settingsOf(github), answerWithinMs: 1_500 } });
});
afterEach(() => github.hostile.clear());
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

const tokens = () => [...github.state.grants.keys()];

async function signIn(name: string, spoil: () => void): Promise<{ answer: Answer; isSignedIn: boolean }> {
  const visitor = api.visitor();
  const begun = await visitor.call('POST /api/auth/sign-in/github/begin', {}, from());
  const back = await agree(bodyOf<{ url: string }>(begun, 200).url, addPerson(github, name));
  spoil();
  const answer = await visitor.call('POST /api/auth/sign-in/github', back, from());
  return { answer, isSignedIn: (await visitor.call('GET /api/session')).status === 200 };
}

const name = (kind: HostileAnswer, part: string) => `${part}-${kind.replaceAll('_', '-')}`;

test.each(hostileAnswers)(
  'a sign-in that GitHub answers with %s makes no account and leaves no token',
  async (kind) => {
    const before = tokens();
    for (const [index, request] of [exchange, person, addresses].entries()) {
      const { answer, isSignedIn } = await signIn(name(kind, `new-${index}`), () =>
        github.hostile.set(request, kind),
      );
      github.hostile.clear();
      expectPlain(answer, request);
      expect(isSignedIn, request).toBe(false);
    }
    expect(tokens()).toEqual(before);
    expect(await wholeStore(api.store.db)).not.toContain(name(kind, 'new-'));
    expect((await signIn(name(kind, 'good'), () => undefined)).isSignedIn).toBe(true);
  },
  30_000,
);

test.each(hostileAnswers)(
  'a link that GitHub answers with %s links nothing, and an unlinking forgets its token',
  async (kind) => {
    const ines = await api.signUp(name(kind, 'ines'));
    const octo = addPerson(github, name(kind, 'octo'));
    const before = tokens();
    const linked = async () => bodyOf<Github>(await ines.call('GET /api/github'), 200).account?.login ?? null;
    for (const request of [exchange, person]) {
      const { url } = bodyOf<{ url: string }>(await ines.call('POST /api/github/link'), 200);
      const back = await agree(url, octo);
      github.hostile.set(request, kind);
      const answer = await ines.call('POST /api/github/link/finish', back);
      github.hostile.clear();
      expectPlain(answer, request);
      expect(await linked(), request).toBeNull();
    }
    expect(tokens()).toEqual(before);

    bodyOf(await linkGithub(ines, octo), 200);
    expect(await linked()).toBe(octo.login);
    github.hostile.set('DELETE /applications/', kind);
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
  30_000,
);
