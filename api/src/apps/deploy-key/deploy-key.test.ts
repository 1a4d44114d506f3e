import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SecurityEvent } from '@homeport/contract/account/schema';
import type { App } from '@homeport/contract/apps/schema';
import type { DeployKey, DeployKeyPlan } from '@homeport/contract/github/schema';
import type { Operation } from '@homeport/contract/operations/schema';
import {
  type GithubProcess,
  type NewRepositoryAtGithub,
  type PersonAtGithub,
  startGithub,
} from '@homeport/stand-ins/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bodyOf } from '../../http/testing.ts';
import { deployApp } from '../../testing/deploy-app.ts';
import { type GitHost, linkGithub, settingsOf, startGitHost } from '../../testing/github.ts';
import { type LinkedConsole, startLinkedConsole } from '../../testing/linked-console.ts';
import { followToEnd, runToEnd } from '../../testing/page.ts';

// Homeport's plugin with the real ssh-keygen, git with the real ssh, and a real sshd that asks the stand-in of GitHub for its keys.

let github: GithubProcess;
let gitHost: GitHost;
let linked: LinkedConsole;
let octo: PersonAtGithub;
let app: App;
/** `owner/name` */
let repository: string;
let other: string;

beforeAll(async () => {
  github = await startGithub();
  gitHost = await startGitHost(github);
  linked = await startLinkedConsole({}, { github: { ...settingsOf(github), ssh: gitHost.ssh } });
  octo = await github.addPerson('octo');
  bodyOf(await linkGithub(linked.ines, octo), 200);
  app = await deployApp(linked.ines, linked, { 'index.html': 'pushed' });
  await linked.ines.call(`POST /api/servers/${app.serverId}/plugin`);
  await runToEnd(linked.ines, `POST /api/servers/${app.serverId}/plugin`);
}, 180_000);
afterAll(async () => {
  await linked?.[Symbol.asyncDispose]();
  await gitHost?.[Symbol.asyncDispose]();
  await github?.[Symbol.asyncDispose]();
});

let round = 0;
beforeEach(async () => {
  round += 1;
  const files = { 'index.html': `private ${round}` };
  repository = await addPrivate({ owner: octo.login, files, name: `site-${round}` });
  other = await addPrivate({ owner: octo.login, files, name: `other-${round}` });
  await link(repository);
});
afterEach(async () => {
  await github.answerWell();
  await github.tellHostKeys([gitHost.hostKey]);
});

const added: string[] = [];
async function addPrivate(made: NewRepositoryAtGithub): Promise<string> {
  await github.addRepository({ ...made, private: true });
  const fullName = `${made.owner}/${made.name}`;
  added.push(fullName);
  return fullName;
}
const keysOf = async (fullName: string) => (await github.readRepository(fullName)).deployKeys;
async function link(to: string | null) {
  const { version } = bodyOf<App>(await linked.ines.call(`GET /api/apps/${app.id}`), 200);
  const body = { version, repository: to && { fullName: to, branch: 'main' } };
  bodyOf(await linked.ines.call(`PUT /api/apps/${app.id}/repository`, body), 200);
}
const deploy = (ref = 'main', way: 'key' | 'archive' = 'key', of = repository) =>
  runToEnd(linked.ines, `POST /api/apps/${app.id}/deploy-commit`, { repository: of, ref, way });
const plan = async () =>
  bodyOf<DeployKeyPlan>(await linked.ines.call(`GET /api/apps/${app.id}/deploy-key/plan`), 200);
const key = async () =>
  bodyOf<DeployKey | null>(await linked.ines.call(`GET /api/apps/${app.id}/deploy-key`), 200);
const remove = () => runToEnd(linked.ines, `POST /api/apps/${app.id}/deploy-key/remove`);
const place = () => join(linked.host.sandbox.root, 'ssh/homeport', app.longname);
const source = () => linked.host.dokku('apps:report', app.longname, '--app-deploy-source-metadata');
const stateOf = ({ steps }: Operation, wanted: string) => steps.find((step) => step.key === wanted);
const events = async () =>
  bodyOf<SecurityEvent[]>(await linked.ines.call('GET /api/security-events'), 200)
    .filter(({ kind }) => kind.startsWith('deploy_key'))
    .map(({ kind, subject }) => `${kind} ${subject}`);

describe('a deploy with the app’s own key', () => {
  it('says what goes where, makes the key, adds it as one that only reads, and deploys exactly the commit', async () => {
    expect(await plan()).toEqual({
      repository,
      key: null,
      title: `Homeport: app ${app.longname} on ${app.serverName}`,
      folder: `/home/dokku/.ssh/homeport/${app.longname}`,
      alias: `homeport-github-${app.longname}`,
      host: `127.0.0.1, port ${gitHost.ssh.port}`,
      obstacle: null,
    });
    const { branches } = await github.readRepository(repository);
    const first = branches.main?.commit ?? '';
    await github.commit(repository, { path: 'index.html', text: 'second', message: 'Second' });
    const { operation, lines } = await deploy(first);
    expect(operation.steps.map((step) => `${step.key} ${step.state}`)).toEqual([
      'key done',
      'github done',
      'deploy done',
      'read done',
    ]);
    expect(lines.map(({ text }) => text)).toContain('=====> Application deployed:');
    expect(await source()).toContain(`homeport-github-${app.longname}:${repository}.git#${first}`);
    expect(await linked.host.dokku('config:export', app.longname)).toContain(first);
    const [held] = await keysOf(repository);
    expect(held).toMatchObject({ readOnly: true, title: (await plan()).title });
    expect(held?.key).toBe(readFileSync(join(place(), 'key.pub'), 'utf8').split(' ').slice(0, 2).join(' '));
    expect(await key()).toMatchObject({ repository, atGithub: true });
    expect(await events()).toContain(`deploy_key_added ${repository}, app ${app.longname}`);
  }, 60_000);

  it('leaves the private half on the server, and tells it nobody', async () => {
    const { operation, lines } = await deploy();
    const commands = await linked.ines.call(`GET /api/operations/${operation.id}/commands`);
    const secret = readFileSync(join(place(), 'key'), 'utf8').split('\n').slice(1, -2);
    const told = JSON.stringify([
      operation,
      lines,
      commands.body,
      await plan(),
      await key(),
      await Promise.all(added.map(keysOf)),
    ]);
    expect(secret.length).toBeGreaterThan(2);
    for (const line of secret.slice(1)) expect(told).not.toContain(line);
  }, 60_000);

  it('uses the key again, and adds it again where GitHub lost it', async () => {
    await deploy();
    const [held] = await keysOf(repository);
    const again = await deploy();
    expect(['key', 'github'].map((step) => stateOf(again.operation, step)?.state)).toEqual([
      'done',
      'skipped',
    ]);
    expect(await keysOf(repository)).toEqual([held]);
    await github.setDeployKeys(repository, []);
    const added = await deploy();
    expect(added.operation.state).toBe('succeeded');
    expect(await keysOf(repository)).toMatchObject([{ key: held?.key, readOnly: true }]);
    // Its answer was lost: the console does not know the number.
    await linked.api.store.db.updateTable('deploy_keys').set({ github_id: null }).execute();
    expect(stateOf((await deploy()).operation, 'github')?.state).toBe('skipped');
    expect(await keysOf(repository)).toHaveLength(1);
  }, 90_000);

  it('replaces a key that may write, and one that the server lost', async () => {
    await deploy();
    const writing = (await keysOf(repository)).map((held) => ({ ...held, readOnly: false }));
    await github.setDeployKeys(repository, writing);
    expect((await deploy()).operation.state).toBe('succeeded');
    expect(await keysOf(repository)).toMatchObject([{ readOnly: true }]);
    const [before] = await keysOf(repository);
    await linked.host.dokku('homeport:deploy-key-delete', app.longname);
    expect((await deploy()).operation.state).toBe('succeeded');
    expect(await keysOf(repository)).toHaveLength(1);
    expect((await keysOf(repository))[0]?.key).not.toBe(before?.key);
  }, 90_000);

  it('stops before anything is sent where the git host has another key than GitHub tells', async () => {
    await github.tellHostKeys([`ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${'B'.repeat(43)}`]);
    const { operation } = await deploy();
    expect(operation).toMatchObject({
      state: 'failed',
      problem: { message: expect.stringMatching(/^GitHub’s git host has another key than the one/) },
    });
    await github.tellHostKeys([gitHost.hostKey]);
    expect((await deploy()).operation.state).toBe('succeeded');
  }, 60_000);

  it('is refused by the git host without the key, and with the key of another repository', async () => {
    await deploy();
    await github.setDeployKeys(other, await keysOf(repository));
    await github.setDeployKeys(repository, []);
    const { operation } = await deploy();
    expect(operation.problem?.message).toMatch(
      /^GitHub does not take a deploy key for this repository\. It says: key is already in use/,
    );
    expect(existsSync(place())).toBe(false);
  }, 60_000);
});

describe('an answer of GitHub that is none', () => {
  it.each([
    ['GET /meta', 'html'],
    ['GET /meta', 'endless'],
    ['GET /repos/octo', 'server_error'],
    ['POST /repos/octo', 'html'],
    ['POST /repos/octo', 'redirect'],
    ['POST /repos/octo', 'hang_up'],
  ] as const)(
    'deploys nothing when %s is answered with %s, and the work can be run again',
    async (begin, answer) => {
      const before = await source();
      await github.answerBadly(begin, answer);
      const { operation } = await deploy();
      await github.answerWell();
      expect(operation).toMatchObject({ state: 'failed', problem: { code: 'unavailable' } });
      expect(await source()).toBe(before);
      const again = await runToEnd(linked.ines, `POST /api/operations/${operation.id}/retry`);
      expect(again.operation.state).toBe('succeeded');
      expect(await keysOf(repository)).toMatchObject([{ readOnly: true }]);
    },
    60_000,
  );
});

describe('a key that goes', () => {
  it('goes from the server and from GitHub when the person asks for it', async () => {
    await deploy();
    const { operation } = await remove();
    expect(operation.steps.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    expect([await keysOf(repository), existsSync(place()), await key()]).toEqual([[], false, null]);
    expect(existsSync(join(place(), '../../config'))).toBe(false);
    expect(await events()).toContain(`deploy_key_removed ${repository}, app ${app.longname}`);
    expect((await linked.ines.call(`POST /api/apps/${app.id}/deploy-key/remove`)).status).toBe(409);
  }, 60_000);

  it.each([
    ['is unlinked', () => link(null)],
    ['is another one', () => link(other)],
  ])(
    'goes when the repository %s',
    async (_what, change) => {
      await deploy();
      await change();
      await expect.poll(key, { timeout: 20_000 }).toBeNull();
      expect([await keysOf(repository), existsSync(place())]).toEqual([[], false]);
    },
    60_000,
  );

  it('is replaced at once by that of another repository', async () => {
    await deploy();
    await link(other);
    expect((await deploy('main', 'key', other)).operation.state).toBe('succeeded');
    expect(await keysOf(repository)).toEqual([]);
    expect(await keysOf(other)).toHaveLength(1);
    expect(await key()).toMatchObject({ repository: other });
  }, 60_000);

  it('is told to stay at GitHub where GitHub does not answer, and goes when the work is run again', async () => {
    await deploy();
    await github.answerBadly(`GET /repos/${repository}`, 'server_error');
    const { operation } = await remove();
    expect([operation.state, existsSync(place())]).toEqual(['failed', false]);
    expect(await keysOf(repository)).toHaveLength(1);
    await github.answerWell();
    const again = await runToEnd(linked.ines, `POST /api/operations/${operation.id}/retry`);
    expect([again.operation.state, await keysOf(repository)]).toEqual(['succeeded', []]);
  }, 60_000);

  const loseNumber = () => linked.api.store.db.updateTable('deploy_keys').set({ github_id: null }).execute();

  it('is found at GitHub by its public half where GitHub’s answer with its number was lost', async () => {
    await deploy();
    const [own] = await keysOf(repository);
    const others = Array.from({ length: 120 }, (_, id) => ({
      ...{ id: id + 1, title: `other ${id}`, readOnly: true },
      key: `ssh-ed25519 ${'B'.repeat(60)}${String(id).padStart(4, '0')}`,
    }));
    await github.setDeployKeys(repository, own ? [...others, own] : []);
    await loseNumber();
    const { operation } = await remove();
    expect(operation.steps.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    expect(await keysOf(repository)).toEqual(others);
    expect(await events()).toContain(`deploy_key_removed ${repository}, app ${app.longname}`);
  }, 60_000);

  it('is replaced by that of another repository, also where its number was lost', async () => {
    await deploy();
    await linked.host.dokku('homeport:deploy-key-delete', app.longname);
    await loseNumber();
    expect((await deploy()).operation.state).toBe('succeeded');
    expect(await keysOf(repository)).toHaveLength(1);
  }, 60_000);

  it('may be at GitHub where its number was lost and GitHub does not answer', async () => {
    await deploy();
    await loseNumber();
    await github.answerBadly(`GET /repos/${repository}/keys`, 'rate_limited');
    const { operation } = await remove();
    expect(stateOf(operation, 'github-key')).toMatchObject({
      state: 'warned',
      note: expect.stringContaining(`The public half may be at GitHub and opens nothing`),
    });
  }, 60_000);

  it('goes with the account at GitHub', async () => {
    await deploy();
    await loseNumber();
    bodyOf(await linked.ines.call('POST /api/github/unlink'), 200);
    expect(await keysOf(repository)).toEqual([]);
    await expect.poll(key, { timeout: 20_000 }).toBeNull();
    expect(existsSync(place())).toBe(false);
    const [last] = bodyOf<Operation[]>(await linked.ines.call('GET /api/operations'), 200);
    expect(last && stateOf(last, 'github-key')).toMatchObject({ note: 'GitHub does not have it.' });
    bodyOf(await linkGithub(linked.ines, octo), 200);
  }, 60_000);
});

describe('where the key cannot be had', () => {
  const expectArchive = async () => {
    const { operation } = await deploy('main', 'archive');
    expect(operation.state).toBe('succeeded');
    expect(operation.steps.map((step) => step.key)).toEqual(['deploy', 'read']);
  };

  it('says so where the person is no administrator, leaves nothing behind, and the archive is the way', async () => {
    const { login } = await github.addPerson(`boss${round}`);
    const files = { 'index.html': 'theirs' };
    repository = await addPrivate({ owner: login, name: `theirs-${round}`, files });
    await github.setMember(repository, octo.id, { push: true, admin: false });
    await link(repository);
    expect((await plan()).obstacle).toMatchObject({ reason: 'no_admin' });
    const { operation } = await deploy();
    expect(operation).toMatchObject({
      state: 'failed',
      problem: { message: expect.stringMatching(/only its administrators may/) },
    });
    expect([existsSync(place()), await key()]).toEqual([false, null]);
    expect((await plan()).obstacle).toMatchObject({ reason: 'refused' });
    await expectArchive();
  }, 60_000);

  it('says so where the organisation forbids deploy keys, and takes the key once it allows them', async () => {
    await github.forbidDeployKeys(repository, true);
    expect((await deploy()).operation.problem?.message).toMatch(
      /It says: Deploy keys are disabled for this repository The key is gone from the server again/,
    );
    expect((await plan()).obstacle?.text).toMatch(/Deploy keys are disabled/);
    await expectArchive();
    await github.forbidDeployKeys(repository, false);
    expect((await deploy()).operation.state).toBe('succeeded');
    expect((await plan()).obstacle).toBeNull();
  }, 90_000);

  it('says so where GitHub tells no host keys', async () => {
    await github.tellHostKeys(null);
    expect((await plan()).obstacle).toMatchObject({ reason: 'no_host_keys' });
    expect((await deploy()).operation.problem?.message).toMatch(/^This GitHub does not publish the keys/);
    await expectArchive();
  }, 60_000);

  it.each([
    ['has an older plugin', 'plugin', { dokku_plugin: '1.3.2' }],
    ['has no plugin', 'plugin', { dokku_plugin: null }],
    ['has an older Dokku', 'dokku', { dokku_version: '0.36.9' }],
  ] as const)('says so where the server %s', async (_what, reason, changes) => {
    const servers = () => linked.api.store.db.updateTable('servers').where('id', '=', app.serverId);
    const before = await linked.api.store.db
      .selectFrom('servers')
      .select(['dokku_plugin', 'dokku_version'])
      .where('id', '=', app.serverId)
      .executeTakeFirstOrThrow();
    await servers().set(changes).execute();
    expect((await plan()).obstacle).toMatchObject({ reason });
    await servers().set(before).execute();
  });
});

it('goes with its app, also without its number, and that of another app with the server', async () => {
  await deploy();
  await linked.api.store.db.updateTable('deploy_keys').set({ github_id: null }).execute();
  const destroyed = await runToEnd(linked.ines, `POST /api/apps/${app.id}/destroy`, {
    confirmation: 'destroy',
  });
  expect(destroyed.operation.state).toBe('succeeded');
  expect([await keysOf(repository), existsSync(place())]).toEqual([[], false]);

  app = await deployApp(linked.ines, linked, { 'index.html': 'pushed' });
  await link(repository);
  await deploy();
  expect(await keysOf(repository)).toHaveLength(1);
  const body = { uninstall: true, records: [] };
  const begun = await linked.ines.call(`POST /api/servers/${app.serverId}/remove`, body);
  const { operation } = bodyOf<{ operation: Operation }>(begun, 202);
  const removed = await followToEnd(linked.ines, operation.id);
  expect(stateOf(removed.operation, 'deploy-keys')).toMatchObject({
    state: 'done',
    note: `${app.longname} (${repository})`,
  });
  expect([await keysOf(repository), existsSync(place())]).toEqual([[], false]);
}, 120_000);
