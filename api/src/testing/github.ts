import { userInfo } from 'node:os';
import { startSshd } from '@homeport/ssh/testing';
import { type GithubProcess, type PersonAtGithub, startGithub } from '@homeport/stand-ins/testing';
import { type Answer, bodyOf, startTestApi, type TestApi, type TestVisitor } from '../http/testing.ts';

export type GithubConsole = AsyncDisposable & { api: TestApi; github: GithubProcess };

/** What the api has to know of the stand-in. */
export const settingsOf = ({ app, url }: Pick<GithubProcess, 'app' | 'url'>) => ({
  app,
  site: url,
  answerWithinMs: 3_000,
});

export type GitHost = AsyncDisposable & {
  /** Where the api finds it: a part of the settings. */
  ssh: { host: string; port: number; user: string };
  hostKey: string;
  log(): string;
};

/** A real sshd that stands for GitHub's git host. It lets in whoever has a key that the stand-in of GitHub has at this moment. */
export async function startGitHost(github: GithubProcess): Promise<GitHost> {
  const config = {
    AuthorizedKeysCommand: `/usr/bin/curl -sf ${github.gitHostKeys}`,
    AuthorizedKeysCommandUser: userInfo().username,
  };
  const { port, user, hostKey, log, dispose } = await startSshd({ config });
  await github.tellHostKeys([hostKey]);
  return { ssh: { host: '127.0.0.1', port, user }, hostKey, log, [Symbol.asyncDispose]: dispose };
}

/** The whole api, which works with a stand-in of GitHub. */
export async function startGithubConsole(
  changes: Parameters<typeof startTestApi>[0] = {},
  given: Parameters<typeof startTestApi>[1] = {},
  settings: { app?: null } = {},
): Promise<GithubConsole> {
  const github = await startGithub();
  const api = await startTestApi({ github: { ...settingsOf(github), ...settings }, ...changes }, given);
  return {
    api,
    github,
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      await github[Symbol.asyncDispose]();
    },
  };
}

/** Agrees on GitHub's page as a person would, and returns the parameters with which GitHub leads back. */
export async function agree(address: string, person: PersonAtGithub | null): Promise<Record<string, string>> {
  const asked = new URL(address);
  const page = await fetch(asked);
  if (page.status !== 200) throw new Error(`GitHub answered ${page.status}: ${await page.text()}`);
  const form = new URLSearchParams(asked.searchParams);
  form.set('person', person ? String(person.id) : '');
  const { origin, pathname } = asked;
  const back = await fetch(`${origin}${pathname}`, { method: 'POST', body: form, redirect: 'manual' });
  return Object.fromEntries(new URL(back.headers.get('location') ?? '').searchParams);
}

/** Signs a visitor in with GitHub, with an invitation if there is one. */
export async function signInWithGithub(
  visitor: TestVisitor,
  person: PersonAtGithub,
  more: { invitation?: string } = {},
): Promise<Answer> {
  const begun = await visitor.call('POST /api/auth/sign-in/github/begin', {});
  const { url } = bodyOf<{ url: string }>(begun, 200);
  return visitor.call('POST /api/auth/sign-in/github', { ...(await agree(url, person)), ...more });
}

/** Links the account of a person at GitHub to somebody who is signed in. */
export async function linkGithub(visitor: TestVisitor, person: PersonAtGithub): Promise<Answer> {
  const { url } = bodyOf<{ url: string }>(await visitor.call('POST /api/github/link'), 200);
  return visitor.call('POST /api/github/link/finish', await agree(url, person));
}
