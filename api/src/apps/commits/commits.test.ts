import type { App } from '@homeport/contract/apps/schema';
import type { FoundCommit } from '@homeport/contract/github/schema';
import { commit, hostileAnswers } from '@homeport/stand-ins/github';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bodyOf } from '../../http/testing.ts';
import { deployApp } from '../../testing/deploy-app.ts';
import {
  addPerson,
  addRepository,
  linkGithub,
  type Repository,
  settingsOf,
  startTestGithub,
} from '../../testing/github.ts';
import { type LinkedConsole, startLinkedConsole } from '../../testing/linked-console.ts';
import { runToEnd } from '../../testing/page.ts';

// The sandbox fetches with git itself, from the stand-in.

let github: Awaited<ReturnType<typeof startTestGithub>>;
let linked: LinkedConsole;
let app: App;
let repository: Repository;
let hidden: Repository;

beforeAll(async () => {
  github = await startTestGithub();
  linked = await startLinkedConsole({}, { github: settingsOf(github) });
  const octo = addPerson(github, 'octo');
  bodyOf(await linkGithub(linked.ines, octo), 200);
  app = await deployApp(linked.ines, linked, { 'index.html': 'pushed' });
  const made = { owner: octo, files: { 'index.html': 'first' } };
  repository = addRepository(github.state, { ...made, name: 'site' });
  hidden = addRepository(github.state, { ...made, name: 'hidden', private: true });
  await link(repository);
}, 180_000);
afterAll(async () => {
  await linked?.[Symbol.asyncDispose]();
  await github?.[Symbol.asyncDispose]();
});

async function link({ name }: Repository) {
  const { version } = bodyOf<App>(await linked.ines.call(`GET /api/apps/${app.id}`), 200);
  const body = { version, repository: { fullName: `octo/${name}`, branch: 'main' } };
  bodyOf(await linked.ines.call(`PUT /api/apps/${app.id}/repository`, body), 200);
}

const find = (ref: string) =>
  linked.ines.call(`GET /api/apps/${app.id}/commit?ref=${encodeURIComponent(ref)}`);
const deploy = (ref: string, { name }: Repository = repository) =>
  runToEnd(linked.ines, `POST /api/apps/${app.id}/deploy-commit`, { repository: `octo/${name}`, ref });
const served = () => linked.host.dokku('apps:report', app.longname, '--app-deploy-source-metadata');

it('tells the commit of a branch, and of the beginning of a commit’s name', async () => {
  const sha = repository.branches.get('main')?.commit ?? '';
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
  const first = repository.branches.get('main')?.commit ?? '';
  repository.branches.get('main')?.files.set('index.html', 'second');
  const { commit: second } = commit(github.state, repository, 'main', 'Second commit');
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

it('fails with a sentence for a commit that is gone, and can be run again', async () => {
  const before = await served();
  const { operation } = await deploy('gone');
  expect(operation).toMatchObject({
    state: 'failed',
    problem: { message: 'The repository has no such branch or commit.' },
  });
  expect(await served()).toBe(before);
  const main = repository.branches.get('main');
  if (main) repository.branches.set('gone', main);
  expect((await runToEnd(linked.ines, `POST /api/operations/${operation.id}/retry`)).operation.state).toBe(
    'succeeded',
  );
}, 60_000);

it('deploys nothing of a private repository, and says so before', async () => {
  await link(hidden);
  expect(bodyOf<FoundCommit>(await find('main'), 200).private).toBe(true);
  const { operation } = await deploy('main', hidden);
  expect(operation.problem?.message).toBe(
    'The repository is not there, or it is private. The server fetches public repositories only.',
  );
  const [token = ''] = github.state.grants.keys();
  const commands = await linked.ines.call(`GET /api/operations/${operation.id}/commands`);
  expect(JSON.stringify(commands.body)).not.toContain(token);
  await link(repository);
}, 60_000);

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
    github.hostile.set('GET /repos/octo/site/commits', answer);
    const { status, body } = await find('main');
    github.hostile.clear();
    expect([status >= 400, JSON.stringify(body)]).toEqual([true, expect.not.stringMatching(/[<]html|stack/)]);
  },
);
