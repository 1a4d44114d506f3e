import { randomBytes } from 'node:crypto';
import type { App } from '@homeport/contract/apps/schema';
import type { deployHistorySchema } from '@homeport/contract/apps/settings-schema';
import type { FoundCommit } from '@homeport/contract/github/schema';
import {
  type GithubProcess,
  hostileAnswers,
  type PersonAtGithub,
  startGithub,
} from '@homeport/stand-ins/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { bodyOf } from '../../http/testing.ts';
import { deployApp } from '../../testing/deploy-app.ts';
import { linkGithub, settingsOf } from '../../testing/github.ts';
import { type LinkedConsole, startLinkedConsole } from '../../testing/linked-console.ts';
import { runToEnd } from '../../testing/page.ts';

// The sandbox fetches with git itself, from the stand-in.

let github: GithubProcess;
let linked: LinkedConsole;
let app: App;
let octo: PersonAtGithub;

const repository = 'octo/site';
const hidden = 'octo/hidden';

beforeAll(async () => {
  github = await startGithub();
  linked = await startLinkedConsole({}, { github: settingsOf(github) });
  octo = await github.addPerson('octo');
  bodyOf(await linkGithub(linked.ines, octo), 200);
  app = await deployApp(linked.ines, linked, { 'index.html': 'pushed' });
  const made = { owner: octo.login, files: { 'index.html': 'first' } };
  await github.addRepository({ ...made, name: 'site' });
  await github.addRepository({ ...made, name: 'hidden', private: true });
  await link(repository);
}, 180_000);
afterAll(async () => {
  await linked?.[Symbol.asyncDispose]();
  await github?.[Symbol.asyncDispose]();
});

async function link(fullName: string) {
  const { version } = bodyOf<App>(await linked.ines.call(`GET /api/apps/${app.id}`), 200);
  const body = { version, repository: { fullName, branch: 'main' } };
  bodyOf(await linked.ines.call(`PUT /api/apps/${app.id}/repository`, body), 200);
}

const find = (ref: string) =>
  linked.ines.call(`GET /api/apps/${app.id}/commit?ref=${encodeURIComponent(ref)}`);
const deploy = (ref: string, of = repository) =>
  runToEnd(linked.ines, `POST /api/apps/${app.id}/deploy-commit`, { repository: of, ref });
const headOf = async (fullName: string) =>
  (await github.readRepository(fullName)).branches.main?.commit ?? '';
const served = () => linked.host.dokku('apps:report', app.longname, '--app-deploy-source-metadata');

it('tells the commit of a branch, and of the beginning of a commit’s name', async () => {
  const sha = await headOf(repository);
  const commitOfMain = { sha, title: 'First commit', private: false };
  expect(bodyOf<FoundCommit>(await find('main'), 200)).toMatchObject(commitOfMain);
  expect(bodyOf<FoundCommit>(await find(sha.slice(0, 7)), 200)).toMatchObject(commitOfMain);
});

it('tells nothing of a name that the repository does not have, and refuses one that git does not take', async () => {
  expect(await find('nowhere')).toMatchObject({ status: 200, body: null });
  expect((await find('../x')).status).toBe(400);
  expect((await find('-x')).status).toBe(400);
});

it('deploys a commit, then another, then the first one again', async () => {
  const first = await headOf(repository);
  const made = { path: 'index.html', text: 'second', message: 'Second commit' };
  const second = await github.commit(repository, made);
  const { operation, lines } = await deploy(first);
  expect(operation).toMatchObject({
    state: 'succeeded',
    title: `Deploy of ${first.slice(0, 7)} from octo/site`,
  });
  expect(lines.map(({ text }) => text)).toContain('=====> Application deployed:');
  expect(await served()).toContain(`/octo/site.git#${first}`);
  expect((await deploy('main')).operation.state).toBe('succeeded');
  expect(await served()).toContain(second);
  expect((await deploy(first)).operation.state).toBe('succeeded');
  expect(await served()).toContain(first);
}, 120_000);

it('the history names the commit, its message and its author', async () => {
  const { deploys } = bodyOf<z.output<typeof deployHistorySchema>>(
    await linked.ines.call(`GET /api/apps/${app.id}/deploys`),
    200,
  );
  const commits = deploys.map(({ source, commit }) => [source, commit?.title]);
  expect(commits).toEqual([
    ['git:sync', 'First commit'],
    ['git:sync', 'Second commit'],
    ['git:sync', 'First commit'],
    ['git-hook', expect.any(String)],
  ]);
  expect(deploys[0]?.commit).toEqual({
    sha: expect.stringMatching(/^[0-9a-f]{40}$/),
    title: 'First commit',
    author: expect.any(String),
  });
});

it('fails with a sentence for a commit that is gone, and can be run again', async () => {
  const before = await served();
  const { operation } = await deploy('gone');
  expect(operation).toMatchObject({
    state: 'failed',
    problem: { message: 'The repository has no such branch or commit.' },
  });
  expect(await served()).toBe(before);
  await github.addBranch(repository, 'gone');
  expect((await runToEnd(linked.ines, `POST /api/operations/${operation.id}/retry`)).operation.state).toBe(
    'succeeded',
  );
}, 60_000);

describe('a new app that begins with a repository', () => {
  const create = (name: string, fullName: string, branch: string) =>
    runToEnd(linked.ines, 'POST /api/apps', {
      ...{ name, serverId: linked.server.id, keyIds: [linked.pushKey.id] },
      begin: { from: 'repository', fullName, branch },
    });
  const made = async (result: Record<string, unknown>) =>
    bodyOf<App>(await linked.ines.call(`GET /api/apps/${String(result.appId)}`), 200);

  it.each([repository, hidden])(
    'deploys %s, and links it',
    async (fullName) => {
      const { operation, lines } = await create('begun', fullName, 'main');
      expect(operation.state, JSON.stringify(lines, null, 1)).toBe('succeeded');
      expect(operation.result.begun).toBe('repository');
      expect(await made(operation.result)).toMatchObject({
        repository: { fullName, branch: 'main' },
        deployment: { status: 'succeeded' },
      });
    },
    60_000,
  );

  it('is there without a deploy where the branch is not, and says why', async () => {
    const { operation } = await create('lost', repository, 'nowhere');
    expect(operation.state).toBe('succeeded');
    expect(operation.result.begun).toBeNull();
    expect(operation.steps.find(({ key }) => key === 'deploy')).toMatchObject({
      state: 'warned',
      note: 'The repository has no such branch or commit. The app is there and waits for a push.',
    });
    expect(await made(operation.result)).toMatchObject({
      repository: { fullName: repository, branch: 'nowhere' },
      deployment: { status: 'never' },
    });
  }, 60_000);
});

describe('a private repository', () => {
  const sha = () => headOf(hidden);
  const commitAnew = (text: string) => github.commit(hidden, { path: 'index.html', text, message: text });
  const deployed = async () =>
    /GIT_REV='?([0-9a-f]{40})/.exec(await linked.host.dokku('config:export', app.longname))?.[1];
  beforeAll(() => link(hidden));
  afterAll(() => link(repository));

  it('is deployed from its archive, which passes through the console', async () => {
    expect(bodyOf<FoundCommit>(await find('main'), 200).private).toBe(true);
    const { operation, lines } = await deploy('main', hidden);
    expect(operation.state).toBe('succeeded');
    const texts = lines.map(({ text }) => text);
    expect(texts).toContain(`Homeport passes commit ${await sha()} of octo/hidden on to Dokku.`);
    expect(texts).toContain('       Stripping top-level archive folder components');
    expect(texts).toContain('=====> Application deployed:');
    expect(await served()).toBe('--\n');
  }, 60_000);

  it('is built again where the app has exactly these files', async () => {
    const { operation, lines } = await deploy(await sha(), hidden);
    expect(operation.state).toBe('succeeded');
    const texts = lines.map(({ text }) => text);
    expect(texts).toContain('The app has exactly these files already, so Dokku builds it again.');
    expect(texts).toContain('=====> Application deployed:');
  }, 60_000);

  it('tells nobody the token of the person or of the archive, and sends the person’s to GitHub alone', async () => {
    await commitAnew('told to nobody');
    const before = await github.archiveTokens();
    const { operation, lines } = await deploy('main', hidden);
    expect(operation.state).toBe('succeeded');
    const archives = (await github.archiveTokens()).filter((token) => !before.includes(token));
    const tokens = [...(await github.grants()).map(({ token }) => token), ...archives];
    expect(tokens.map(({ length }) => length)).toEqual([40, 24]);
    const commands = await linked.ines.call(`GET /api/operations/${operation.id}/commands`);
    const told = JSON.stringify([operation, lines, commands.body]);
    expect(told).toContain('git:from-archive');
    for (const token of tokens) expect(told).not.toContain(token);
    expect(told).not.toContain('codeload');
  }, 60_000);

  it.each([
    ['cut_off', /^The archive of the repository broke off on its way from GitHub\. Nothing was deployed\./],
    ['half', /^The archive of the repository did not arrive whole\. Nothing was deployed\./],
    ['announces_too_much', /^The archive of the repository is larger than 500 MB\. Nothing was deployed\./],
  ] as const)(
    'is not deployed from an archive with the fault %s, and then from a whole one',
    async (fault, message) => {
      await commitAnew(`after ${fault} ${randomBytes(100_000).toString('hex')}`);
      const before = await deployed();
      await github.spoilArchives(fault);
      const { operation } = await deploy('main', hidden);
      await github.spoilArchives(null);
      expect(operation).toMatchObject({
        state: 'failed',
        problem: { message: expect.stringMatching(message) },
      });
      expect(await deployed()).toBe(before);
      const again = await runToEnd(linked.ines, `POST /api/operations/${operation.id}/retry`);
      expect(again.operation.state).toBe('succeeded');
      expect(await deployed()).toMatch(/^[0-9a-f]{40}$/);
      expect(await deployed()).not.toBe(before);
    },
    60_000,
  );

  it.each([
    ['GET /repos/octo/hidden/tarball', 'redirect'],
    ['GET /repos/octo/hidden/tarball', 'html'],
    ['GET /codeload', 'redirect'],
    ['GET /codeload', 'html'],
    ['GET /codeload', 'endless'],
    ['GET /codeload', 'server_error'],
    ['GET /codeload', 'hang_up'],
  ] as const)(
    'is not deployed when %s is answered with %s, and no command is sent',
    async (begin, answer) => {
      await github.answerBadly(begin, answer);
      const { operation } = await deploy('main', hidden);
      await github.answerWell();
      expect(operation.problem?.message).toMatch(/^GitHub did not hand over the repository’s archive\. /);
      const commands = await linked.ines.call(`GET /api/operations/${operation.id}/commands`);
      expect(JSON.stringify(commands.body)).not.toMatch(/git:from-archive|codeload/);
    },
    60_000,
  );

  it('is deployed from a branch whose name has a slash, and refuses a name that git does not take', async () => {
    await github.addBranch(hidden, 'feature/one');
    expect((await deploy('feature/one', hidden)).operation.state).toBe('succeeded');
    for (const ref of ['../x', '-x', 'a..b', '$(id)', 'x;id', 'a b', 'x?token=1', '']) {
      const body = { repository: 'octo/hidden', ref };
      expect((await linked.ines.call(`POST /api/apps/${app.id}/deploy-commit`, body)).status).toBe(400);
    }
  }, 60_000);

  it('fails with a sentence for a commit that is gone', async () => {
    expect((await deploy('nowhere', hidden)).operation.problem?.message).toBe(
      'The repository has no such branch or commit.',
    );
  }, 60_000);

  it('asks to link the account again where GitHub takes the grant no more, while a public one is deployed', async () => {
    await github.revokeAll();
    const { operation } = await deploy('main', hidden);
    expect(operation.problem).toMatchObject({
      message:
        'The repository is not there, or it is private. The server fetches public repositories only. GitHub does not accept the link of your account any more.',
      recovery: expect.stringContaining('Link your GitHub account again'),
    });
    await link(repository);
    expect((await deploy('main')).operation.state).toBe('succeeded');
    bodyOf(await linkGithub(linked.ines, octo), 200);
  }, 60_000);
});

it('refuses a repository that the app is not linked to', async () => {
  const answer = await linked.ines.call(`POST /api/apps/${app.id}/deploy-commit`, {
    repository: 'eve/trap',
    ref: 'main',
  });
  expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } });
});

it.each(hostileAnswers)(
  'gives a plain message when GitHub answers a question for a commit with %s',
  async (answer) => {
    await github.answerBadly('GET /repos/octo/site/commits', answer);
    const { status, body } = await find('main');
    await github.answerWell();
    expect([status >= 400, JSON.stringify(body)]).toEqual([true, expect.not.stringMatching(/[<]html|stack/)]);
  },
);
