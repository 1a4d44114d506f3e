import { createHash } from 'node:crypto';
import type { App } from '@homeport/contract/apps/schema';
import type { Known } from '@homeport/contract/apps/settings-schema';
import { deploySecretName, workflowPath } from '@homeport/contract/github/facts';
import type {
  ContinuousDeployment,
  DeploymentPlan,
  RepositoryList,
  WorkflowRun,
} from '@homeport/contract/github/schema';
import { makeKey } from '@homeport/ssh/testing';
import {
  type GithubProcess,
  hostileAnswers,
  type PersonAtGithub,
  sealFor,
  startGithub,
} from '@homeport/stand-ins/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bodyOf } from '../../http/testing.ts';
import { deployApp } from '../../testing/deploy-app.ts';
import { linkGithub, settingsOf } from '../../testing/github.ts';
import { type LinkedConsole, startLinkedConsole } from '../../testing/linked-console.ts';
import { begin, runToEnd } from '../../testing/page.ts';
import { wholeStore } from '../../testing/whole-store.ts';

let github: GithubProcess;
let linked: LinkedConsole;
let octo: PersonAtGithub;
let app: App;
/** `owner/name` */
let repository: string;

beforeAll(async () => {
  github = await startGithub();
  linked = await startLinkedConsole({ plugins: ['acl'] }, { github: settingsOf(github) });
  octo = await github.addPerson('octo-ines');
  bodyOf(await linkGithub(linked.ines, octo), 200);
  app = await deployApp(linked.ines, linked, { 'index.html': 'ahoy' });
}, 180_000);
afterAll(async () => {
  await linked?.[Symbol.asyncDispose]();
  await github?.[Symbol.asyncDispose]();
});

let count = 0;
beforeEach(async () => {
  count += 1;
  repository = `octo-ines/ledger-${count}`;
  await github.addRepository({
    owner: octo.login,
    name: `ledger-${count}`,
    private: true,
    files: { 'README.md': '# Ledger\n<script>alert(1)</script>' },
  });
  await linkRepository();
});

const at = () => `/api/apps/${app.id}/continuous-deployment`;
/** The text that the file of the workflow has on a branch. */
const workflowOn = async (branch: string) =>
  (await github.readRepository(repository)).branches[branch]?.files[workflowPath];
const secretThere = async () => (await github.readRepository(repository)).secrets[deploySecretName];

async function linkRepository() {
  const { version } = bodyOf<App>(await linked.ines.call(`GET /api/apps/${app.id}`), 200);
  const body = { version, repository: { fullName: repository, branch: 'main' } };
  bodyOf(await linked.ines.call(`PUT /api/apps/${app.id}/repository`, body), 200);
}

const readPlan = async () => bodyOf<DeploymentPlan>(await linked.ines.call(`GET ${at()}/plan`), 200);
const readSetUp = async () => bodyOf<ContinuousDeployment | null>(await linked.ines.call(`GET ${at()}`), 200);

/** What the page does: a new pair, whose private half is sealed for the repository. */
function pairFor(plan: DeploymentPlan) {
  const pair = makeKey();
  const sealed = sealFor(plan.sealingKey.key, pair.privateKeyPem);
  const { repository, branch, workflow } = plan;
  const publicKey = pair.publicKeyLine.split(' ').slice(0, 2).join(' ');
  const body = { repository, branch, workflow, publicKey, secret: { keyId: plan.sealingKey.id, sealed } };
  return { pair, body };
}

const setUp = (body: object) => runToEnd(linked.ines, `POST ${at()}`, body);
const undo = () => runToEnd(linked.ines, `POST ${at()}/remove`);
const namesOnServer = async () =>
  (await linked.host.dokku('ssh-keys:list')).match(/homeport-deploys-[0-9a-f]+/g) ?? [];
/** The names that the page shows as those that may push. */
const pushersShown = async () =>
  bodyOf<Known>(await linked.ines.call(`GET /api/apps/${app.id}/known`), 200)
    .pushers?.told.keys.map(({ name }) => name)
    .toSorted();
const steps = (ended: Awaited<ReturnType<typeof setUp>>) =>
  ended.operation.steps.map(({ key, state }) => `${key} ${state}`);

describe('one click for the whole deployment', () => {
  it('puts the key on the server, the secret and the workflow into the repository, in this order', async () => {
    const plan = await readPlan();
    expect(plan).toMatchObject({
      hasIpv4: true,
      repository,
      branch: 'main',
      existing: 'none',
      hasSecret: false,
    });
    const { port, host, hostKeyFingerprint } = linked.host.sshd;
    expect(plan.workflow).toMatch(
      new RegExp(`git_remote_url: "ssh://[a-z]+@${host}:${port}/${app.longname}"`),
    );
    const pinned =
      new RegExp(`ssh_host_key: "\\[${host}\\]:${port} ssh-ed25519 ([^"]+)"`).exec(plan.workflow)?.[1] ?? '';
    const digest = createHash('sha256').update(Buffer.from(pinned, 'base64')).digest('base64');
    expect(`SHA256:${digest.replace(/=+$/, '')}`).toBe(hostKeyFingerprint);
    expect(plan.workflow).toContain('branches: ["main"]');
    const { pair, body } = pairFor(plan);
    await github.forgetRequests();
    const ended = await setUp(body);
    expect(ended.operation.state).toBe('succeeded');
    expect(await secretThere()).toBe(pair.privateKeyPem);
    expect(await workflowOn('main')).toBe(plan.workflow);
    expect(await namesOnServer()).toHaveLength(1);
    const changes = (await github.requests())
      .filter((request) => !request.startsWith('GET'))
      .map((request) => request.split(' ')[1]?.split('/').at(-1));
    expect(changes).toEqual([deploySecretName, 'deploy.yml']);
    expect(await readSetUp()).toMatchObject({
      repository,
      commitUrl: expect.stringContaining('/commit/'),
    });
    const runs = bodyOf<WorkflowRun[]>(await linked.ines.call(`GET ${at()}/runs`), 200);
    expect(runs).toMatchObject([{ state: 'queued', url: expect.stringContaining('/actions/runs/') }]);
    expect((await readPlan()).existing).toBe('same');
  }, 60_000);

  it('can be repeated with a new pair, and undone', async () => {
    await setUp(pairFor(await readPlan()).body);
    const again = pairFor(await readPlan());
    const ended = await setUp(again.body);
    expect(steps(ended)).toEqual(['key done', 'branch skipped', 'secret done', 'workflow skipped']);
    expect(await secretThere()).toBe(again.pair.privateKeyPem);
    expect(await namesOnServer()).toHaveLength(1);
    const undone = await undo();
    expect(undone.operation.state).toBe('succeeded');
    expect((await github.readRepository(repository)).secrets).toEqual({});
    expect(await workflowOn('main')).toBeUndefined();
    expect(await namesOnServer()).toEqual([]);
    expect(await readSetUp()).toBeNull();
  }, 60_000);

  it('leaves its name on the app’s list where no other one is there, because an empty list lets every key push', async () => {
    await setUp(pairFor(await readPlan()).body);
    const [name = ''] = await namesOnServer();
    const listed = async () =>
      (await linked.host.dokku('acl:list', app.longname)).split('\n').filter(Boolean);
    const others = (await listed()).filter((each) => each !== name);
    expect([(await listed()).includes(name), others.length > 0]).toEqual([true, true]);
    expect(await pushersShown()).toEqual((await listed()).toSorted());
    for (const each of others) await linked.host.dokku('acl:remove', app.longname, each);
    const undone = await undo();
    expect(undone.operation.steps[0]).toMatchObject({
      state: 'warned',
      note: expect.stringContaining('Nobody can push until you choose who may.'),
    });
    expect(await listed()).toEqual([name]);
    expect(await pushersShown()).toEqual([name]);
    expect(await namesOnServer()).toEqual([]);
    for (const each of others) await linked.host.dokku('acl:add', app.longname, each);
    await linked.host.dokku('acl:remove', app.longname, name);
  }, 60_000);

  it('leaves a workflow alone that somebody else wrote since', async () => {
    await setUp(pairFor(await readPlan()).body);
    await github.setFile(repository, workflowPath, 'name: Mine\n');
    expect((await readPlan()).existing).toBe('other');
    const undone = await undo();
    expect(undone.operation.steps.find(({ key }) => key === 'workflow')?.state).toBe('warned');
    expect(await workflowOn('main')).toBe('name: Mine\n');
    expect(await namesOnServer()).toEqual([]);
  }, 60_000);

  it('proposes the workflow where the branch is protected, once', async () => {
    await github.protect(repository);
    expect((await readPlan()).isProtected).toBe(true);
    const ended = await setUp(pairFor(await readPlan()).body);
    expect(ended.operation.state).toBe('succeeded');
    expect(await workflowOn('homeport/deploy')).toBeDefined();
    expect(await readSetUp()).toMatchObject({ pullUrl: expect.stringContaining('/pull/1'), commitUrl: null });
    await setUp(pairFor(await readPlan()).body);
    expect((await github.readRepository(repository)).pulls).toHaveLength(1);
    await undo();
  }, 60_000);

  it('says what to do when GitHub has another key for secrets by now', async () => {
    const { body } = pairFor(await readPlan());
    await github.replaceSecretKey(repository);
    const ended = await setUp(body);
    expect(ended.operation).toMatchObject({
      state: 'failed',
      problem: { code: 'conflict', recovery: expect.stringContaining('again') },
    });
    expect(await workflowOn('main')).toBeUndefined();
    await undo();
  }, 60_000);

  it('keeps neither the token nor the private key in the store, in logs, in commands and in answers', async () => {
    const { pair, body } = pairFor(await readPlan());
    const ended = await setUp(body);
    const [{ token } = { token: '' }] = await github.grants();
    const commands = await linked.ines.call(`GET /api/operations/${ended.operation.id}/commands`);
    const account = await linked.ines.call('GET /api/github');
    const requests = await github.requests();
    const told = JSON.stringify([ended, commands.body, account.body, linked.api.logged, requests]);
    const kept = await wholeStore(linked.api.store.db);
    const secret = pair.privateKeyPem.split('\n')[2] ?? '';
    expect(token).toHaveLength(40);
    expect(secret.length).toBeGreaterThan(40);
    for (const text of [told, kept]) {
      expect(text).not.toContain(token);
      expect(text).not.toContain(Buffer.from(token).toString('hex'));
      expect(text).not.toContain(secret);
    }
    await undo();
  }, 60_000);
});

describe('two persons with one repository', () => {
  it('each see their own only', async () => {
    const eve = await linked.api.signUp('eve');
    const other = await github.addPerson('octo-eve');
    await github.setMember(repository, other.id, { push: true, admin: false });
    await linkGithub(eve, other);
    const hers = bodyOf<RepositoryList>(await eve.call('POST /api/github/repositories/refresh'), 200);
    expect(hers.repositories.map((each) => each.fullName)).toEqual([repository]);
    await github.setMember(repository, other.id, null);
    const after = bodyOf<RepositoryList>(await eve.call('POST /api/github/repositories/refresh'), 200);
    expect(after.repositories).toEqual([]);
    const mine = bodyOf<RepositoryList>(await linked.ines.call('POST /api/github/repositories/refresh'), 200);
    expect(mine.repositories.map((each) => each.fullName)).toContain(repository);
    expect((await eve.call(`GET ${at()}`)).status).toBe(404);
  });
});

describe('the list of repositories', () => {
  it('is kept, read in pages, and not sent again while nothing changed', async () => {
    const more = Array.from({ length: 150 }, (_, number) => `more-${number}`);
    for (const name of more) await github.addRepository({ owner: octo.login, name });
    const first = bodyOf<RepositoryList>(
      await linked.ines.call('POST /api/github/repositories/refresh'),
      200,
    );
    // One for each test so far.
    expect(first.repositories.length).toBe(more.length + count);
    const kept = bodyOf<RepositoryList>(await linked.ines.call('GET /api/github/repositories'), 200);
    expect(kept).toEqual(first);
    await github.forgetRequests();
    const again = bodyOf<RepositoryList>(
      await linked.ines.call('POST /api/github/repositories/refresh'),
      200,
    );
    expect(again.repositories).toEqual(first.repositories);
    expect(await github.requests()).toHaveLength(2);
    for (const name of more) await github.removeRepository(`octo-ines/${name}`);
    const fewer = bodyOf<RepositoryList>(
      await linked.ines.call('POST /api/github/repositories/refresh'),
      200,
    );
    expect(fewer.repositories.length).toBe(first.repositories.length - 150);
  }, 60_000);

  it('gives an app the new name of its repository', async () => {
    await linked.ines.call('POST /api/github/repositories/refresh');
    await linkRepository();
    await github.renameRepository(repository, `ledger-${count}-renamed`);
    repository = `octo-ines/ledger-${count}-renamed`;
    await linked.ines.call('POST /api/github/repositories/refresh');
    const renamed = bodyOf<App>(await linked.ines.call(`GET /api/apps/${app.id}`), 200);
    expect(renamed.repository?.fullName).toBe(repository);
  });
});

describe('the readme of the repository', () => {
  const readme = () => linked.ines.call(`GET /api/apps/${app.id}/repository/readme`);
  it('is told as text of at most 1000 characters', async () => {
    expect((await readme()).body).toMatchObject({ kind: 'text', text: expect.stringContaining('# Ledger') });
    await github.setFile(repository, 'README.md', 'é'.repeat(1_000));
    expect((await readme()).body).toMatchObject({ kind: 'text' });
    await github.setFile(repository, 'README.md', 'é'.repeat(1_001));
    expect((await readme()).body).toEqual({ kind: 'too_long' });
    await github.setFile(repository, 'README.md', null);
    expect((await readme()).body).toEqual({ kind: 'none' });
  });
});

describe('a page in place of an answer', () => {
  /** `METHOD /path` of the requests that GitHub gets meanwhile, each once. */
  async function requestsOf(work: () => Promise<unknown>): Promise<string[]> {
    await github.forgetRequests();
    await work();
    return [...new Set(await github.requests())];
  }
  const plain = /^GitHub did not [^<>]*$/;

  it('to any request of the plan and of the runs is told in plain words', async () => {
    await setUp(pairFor(await readPlan()).body);
    for (const key of [`GET ${at()}/plan`, `GET ${at()}/runs`]) {
      const requests = await requestsOf(() => linked.ines.call(key));
      expect(requests.length).toBeGreaterThan(0);
      for (const request of requests) {
        await github.answerBadly(request, 'html');
        const { status, body } = await linked.ines.call(key);
        await github.answerWell();
        expect([status >= 400, body], request).toEqual([
          true,
          expect.objectContaining({ message: expect.stringMatching(plain) }),
        ]);
      }
    }
    await undo();
  }, 120_000);

  it('to any request of the operation ends it with plain words, and the next run goes on', async () => {
    const { body } = pairFor(await readPlan());
    const requests = await requestsOf(() => setUp(body));
    await undo();
    expect(requests.some((request) => request.startsWith('PUT '))).toBe(true);
    for (const request of requests) {
      const again = pairFor(await readPlan()).body;
      await github.answerBadly(request, 'html');
      const { operation } = await setUp(again);
      await github.answerWell();
      expect([operation.state, operation.problem?.message], request).toEqual([
        'failed',
        expect.stringMatching(plain),
      ]);
      const retried = await runToEnd(linked.ines, `POST /api/operations/${operation.id}/retry`);
      expect(retried.operation.state, request).toBe('succeeded');
      await undo();
    }
  }, 180_000);
});

describe('an answer that GitHub should not give', () => {
  it('to any request of the undoing ends it with plain words and claims nothing, and the next run goes on', async () => {
    await setUp(pairFor(await readPlan()).body);
    await github.forgetRequests();
    await undo();
    const requests = [...new Set(await github.requests())];
    // The name of the repository, the file, and both removals.
    expect(requests.map((request) => request.split(' ')[0])).toEqual(['GET', 'GET', 'DELETE', 'DELETE']);
    await setUp(pairFor(await readPlan()).body);
    let id: string | null = null;
    for (const [index, request] of requests.entries()) {
      for (const kind of hostileAnswers) {
        // One of each suffices where the console waits for the end of its patience.
        if (kind === 'revoked' || (kind === 'endless' && index > 0)) continue;
        await github.answerBadly(request, kind);
        const route = id === null ? `POST ${at()}/remove` : `POST /api/operations/${id}/retry`;
        const { operation } = await runToEnd(linked.ines, route);
        await github.answerWell();
        id = operation.id;
        expect([operation.state, operation.problem?.message], `${request}: ${kind}`).toEqual([
          'failed',
          expect.stringMatching(/^GitHub did not remove the (?:workflow|secret)\. [^<>]*$/),
        ]);
      }
    }
    expect(await secretThere()).toBeDefined();
    const last = await runToEnd(linked.ines, `POST /api/operations/${id}/retry`);
    expect(last.operation.state).toBe('succeeded');
    expect(await secretThere()).toBeUndefined();
    expect(await workflowOn('main')).toBeUndefined();
  }, 120_000);

  const asked = [
    ['POST /api/github/repositories/refresh', 'GET /user/repos'],
    ['GET /plan', 'GET /repos/'],
    ['GET /readme', 'GET /repos/'],
  ] as const;
  for (const kind of hostileAnswers) {
    if (kind === 'revoked') continue;
    it(`ends in plain words: ${kind}`, async () => {
      for (const [route, begin] of asked) {
        const key =
          route === 'GET /plan'
            ? `GET ${at()}/plan`
            : route === 'GET /readme'
              ? `GET /api/apps/${app.id}/repository/readme`
              : route;
        await github.answerBadly(begin, kind);
        const answer = await linked.ines.call(key);
        await github.answerWell();
        expect([403, 409, 429, 503]).toContain(answer.status);
        expect(answer.body).toMatchObject({ message: expect.stringMatching(/^GitHub did not .*\.$/) });
        expect(JSON.stringify(answer.body)).not.toMatch(/<|gho_|ECONN|undici|127\.0\.0\.1/);
      }
      expect((await linked.ines.call('GET /api/github')).body).toMatchObject({
        account: { linkAgain: false },
      });
    });
  }

  it('a revoked grant says "link again" everywhere, until the account is linked again', async () => {
    await github.revokeAll();
    const refused = await linked.ines.call('POST /api/github/repositories/refresh');
    expect(refused).toMatchObject({
      status: 409,
      body: { recovery: expect.stringContaining('Link your GitHub account again') },
    });
    expect((await linked.ines.call('GET /api/github')).body).toMatchObject({ account: { linkAgain: true } });
    bodyOf(await linkGithub(linked.ines, octo), 200);
    expect((await linked.ines.call('GET /api/github')).body).toMatchObject({ account: { linkAgain: false } });
    expect((await linked.ines.call('POST /api/github/repositories/refresh')).status).toBe(200);
  });
});

describe('an app that is destroyed', () => {
  const destroy = () =>
    runToEnd(linked.ines, `POST /api/apps/${app.id}/destroy`, { confirmation: 'destroy' });
  const retry = (id: string) => runToEnd(linked.ines, `POST /api/operations/${id}/retry`);
  const appsOnServer = () => linked.host.dokku('apps:list');

  afterEach(async () => {
    app = await deployApp(linked.ines, linked, { 'index.html': 'ahoy' });
  }, 60_000);

  /** The steps of a destruction that leaves nothing. */
  const whole = ['push-key done', 'destroy done', 'workflow done', 'secret done', 'record done'];

  it('takes its key, its workflow and its secret with it, the key first', async () => {
    await setUp(pairFor(await readPlan()).body);
    expect(await namesOnServer()).toHaveLength(1);
    const ended = await destroy();
    expect(ended.operation.state).toBe('succeeded');
    expect(steps(ended)).toEqual(whole);
    expect(await namesOnServer()).toEqual([]);
    expect(await workflowOn('main')).toBeUndefined();
    expect(await secretThere()).toBeUndefined();
    expect(await appsOnServer()).not.toContain(app.longname);
  }, 60_000);

  it('takes them with it under the new name of a renamed repository', async () => {
    await setUp(pairFor(await readPlan()).body);
    await github.renameRepository(repository, `ledger-${count}-renamed`);
    repository = `octo-ines/ledger-${count}-renamed`;
    expect(steps(await destroy())).toContain('secret done');
    expect([await workflowOn('main'), await secretThere()]).toEqual([undefined, undefined]);
  }, 60_000);

  it.each(['unreachable', 'unlinked'])(
    'goes all the same when GitHub is %s, and says what stays there and where',
    async (why) => {
      await setUp(pairFor(await readPlan()).body);
      if (why === 'unlinked') bodyOf(await linked.ines.call('POST /api/github/unlink'), 200);
      else await github.answerBadly(`GET /repos/${repository}`, 'hang_up');
      const { operation } = await destroy();
      await github.answerWell();
      if (why === 'unlinked') bodyOf(await linkGithub(linked.ines, octo), 200);
      expect(operation.state).toBe('succeeded');
      const told = operation.steps.filter(({ state }) => state === 'warned').map(({ note }) => note);
      expect(told).toEqual([
        expect.stringContaining(`Remove it there: ${github.url}/${repository}/blob/main/${workflowPath}`),
        expect.stringContaining(`Remove it there: ${github.url}/${repository}/settings/secrets/actions`),
      ]);
      expect(await secretThere()).toBeDefined();
      expect(await namesOnServer()).toEqual([]);
      expect(await appsOnServer()).not.toContain(app.longname);
    },
    60_000,
  );

  it('names the pull request with the workflow, which stays', async () => {
    await github.protect(repository);
    await setUp(pairFor(await readPlan()).body);
    const { operation } = await destroy();
    expect(operation.steps.find(({ key }) => key === 'workflow')).toMatchObject({
      state: 'warned',
      note: expect.stringContaining('/pull/1'),
    });
    expect(await secretThere()).toBeUndefined();
  }, 60_000);

  it('stays while its server keeps the key, which somebody else can remove', async () => {
    await setUp(pairFor(await readPlan()).body);
    const [name = ''] = await namesOnServer();
    const servers = linked.api.store.db.updateTable('servers').where('id', '=', app.serverId);
    await servers.set({ login: 'plain' }).execute();
    const { operation } = await destroy();
    await servers.set({ login: 'root' }).execute();
    expect(operation).toMatchObject({
      state: 'failed',
      problem: { recovery: expect.stringContaining(`dokku ssh-keys:remove ${name}`) },
    });
    expect(await appsOnServer()).toContain(app.longname);
    await linked.host.dokku('ssh-keys:remove', name);
    expect((await retry(operation.id)).operation.state).toBe('succeeded');
  }, 60_000);

  it('waits for a set-up that is going on, and takes it back', async () => {
    const { body } = pairFor(await readPlan());
    await begin(linked.ines, `POST ${at()}`, body);
    const ended = await destroy();
    expect(steps(ended)).toEqual(whole);
    expect(await namesOnServer()).toEqual([]);
  }, 60_000);
});
