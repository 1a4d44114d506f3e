import { appendFile } from 'node:fs/promises';
import {
  deployApp,
  type LinkedConsole,
  linkGithub,
  settingsOf,
  startGithub,
  startLinkedConsole,
} from '@homeport/api/testing';
import { plantToken } from '@homeport/api/testing/plant';
import { bodyOf, type TestPerson } from '@homeport/api/testing/test-api';
import type { App } from '@homeport/contract/apps/schema';
import { terminalScopes } from '@homeport/contract/device/facts';
import type { Operation } from '@homeport/contract/operations/schema';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSshAgent, type TestAgent } from '../testing/ssh-agent.ts';
import { testHome } from '../testing/terminal.ts';

// A real sshd and a real ssh-agent. The sandbox fetches from a stand-in of GitHub, with git itself.

/** Each opening counts for a minute. */
let passed = 0;
let linked: LinkedConsole;
let github: Awaited<ReturnType<typeof startGithub>>;
let ines: TestPerson;
let app: App;
let agent: TestAgent;
let token: string;
let home: ReturnType<typeof testHome>;

beforeAll(async () => {
  github = await startGithub();
  linked = await startLinkedConsole(
    { alsoNamed: 'homeport' },
    { github: settingsOf(github) },
    { clock: () => Date.now() + passed },
  );
  ines = linked.ines;
  const octo = await github.addPerson('octo');
  bodyOf(await linkGithub(ines, octo), 200);
  const made = { owner: octo.login, files: { 'index.html': 'first' } };
  await github.addRepository({ ...made, name: 'site' });
  await github.addRepository({ ...made, name: 'hidden', private: true });
  app = await deployApp(ines, linked, { 'index.html': 'pushed' });
  agent = await startSshAgent();
  const key = agent.makeKey('ed25519', 'own');
  key.add();
  await appendFile(linked.host.sandbox.authorizedKeysFile, `${key.publicLine}\n`);
  const stored = bodyOf<{ id: string; fingerprint: string }>(
    await ines.call('POST /api/keys', { name: 'own', publicKey: key.publicLine }),
    201,
  );
  await linked.api.store.db
    .updateTable('servers')
    .set({ credential: stored.id, account_key: stored.fingerprint, console_account: true })
    .where('id', '=', linked.server.id)
    .execute();
  ({ token } = await plantToken(linked.api.store.db, ines.userId, {
    kind: 'terminal',
    scopes: terminalScopes,
  }));
}, 180_000);
afterAll(async () => {
  await agent?.[Symbol.asyncDispose]();
  await linked?.[Symbol.asyncDispose]();
  await github?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  passed += 61_000;
  home = testHome();
  await link('octo/site');
});
afterEach(() => home?.[Symbol.dispose]());

async function link(fullName: string | null) {
  const { version } = bodyOf<App>(await ines.call(`GET /api/apps/${app.id}`), 200);
  const body = { version, repository: fullName === null ? null : { fullName, branch: 'main' } };
  bodyOf(await ines.call(`PUT /api/apps/${app.id}/repository`, body), 200);
}

const deploy = (words: string[] = [], given: Parameters<typeof home.run>[1] = {}) =>
  home.run(['deploy', app.name, '--host-key', linked.host.sshd.hostKeyFingerprint, ...words], {
    ...given,
    env: {
      ...{ HOMEPORT_URL: linked.api.url, HOMEPORT_TOKEN: token, SSH_AUTH_SOCK: agent.path },
      ...given.env,
    },
  });
const served = () => linked.host.dokku('apps:report', app.longname, '--app-deploy-source-metadata');
const deploys = async () =>
  bodyOf<Operation[]>(await ines.call('GET /api/operations'), 200).filter(
    ({ kind }) => kind === 'app.deploy-commit',
  );
const stateOf = async (id: string) =>
  bodyOf<Operation>(await ines.call(`GET /api/operations/${id}`), 200).state;

describe('deploys as the account homeport', () => {
  it('the linked branch, shows the build, and ends with 0', async () => {
    const { exit, out, err } = await deploy();
    expect({ exit, out }).toEqual({ exit: 0, out: 'Done\tDeploy of main from octo/site\n' });
    expect(err).toMatch(/^Connecting to lantern .* as homeport with ssh-ed25519/m);
    expect(err).toContain('=====> Application deployed:');
    expect(linked.host.sshd.log()).toMatch(/Accepted publickey for homeport/);
    expect(await served()).toContain('/octo/site.git#');
  }, 60_000);

  it('a commit by its whole name, with each event as JSON', async () => {
    const first = (await github.readRepository('octo/site')).branches.main?.commit ?? '';
    await github.commit('octo/site', { path: 'index.html', text: 'second', message: 'Second commit' });
    const { exit, out } = await deploy(['--ref', first, '--json']);
    const events = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect({ exit, last: events.at(-1) }).toMatchObject({
      exit: 0,
      last: { type: 'state', operation: { kind: 'app.deploy-commit', state: 'succeeded' } },
    });
    expect(await served()).toContain(first);
  }, 60_000);

  it('a private repository, of which the console passes the archive on', async () => {
    await link('octo/hidden');
    const { exit, err } = await deploy();
    expect({ exit, err }).toEqual({ exit: 0, err: expect.stringContaining('passes commit') });
  }, 60_000);
});

it('ends with 5 where the repository has no such commit', async () => {
  const { exit, out, err } = await deploy(['--ref', 'nowhere']);
  expect({ exit, out }).toEqual({ exit: 5, out: expect.stringMatching(/^Failed\t/) });
  expect(err).toContain('no such branch or commit');
}, 60_000);

it.each([
  ['a name that git would take for an option', ['--ref=--upload-pack=x'], 2],
  ['a timeout of no time', ['--timeout', '0'], 2],
])('refuses %s, and begins nothing', async (_what, words, exit) => {
  const before = await deploys();
  expect((await deploy(words)).exit).toBe(exit);
  expect(await deploys()).toHaveLength(before.length);
});

it('ends with 7 where no repository is linked, and says where to link one', async () => {
  await link(null);
  const { exit, err } = await deploy();
  expect({ exit, err }).toEqual({ exit: 7, err: expect.stringContaining('page of the app') });
});

it('begins nothing without the key, and holds no lane', async () => {
  const before = await deploys();
  expect((await deploy([], { env: { SSH_AUTH_SOCK: '' } })).exit).toBe(4);
  expect(await deploys()).toHaveLength(before.length);
});

describe('goes on without the command', () => {
  it('after Ctrl-C, which ends with 130 and names the work', async () => {
    const stop = new AbortController();
    const { exit, err } = await deploy([], {
      interrupted: stop.signal,
      onErr: (text) => text.includes('running: Fetch') && stop.abort(),
    });
    const id = /homeport op watch (\S+)`/.exec(err)?.[1] ?? '';
    expect({ exit, id }).toEqual({ exit: 130, id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    await expect.poll(() => stateOf(id), { timeout: 60_000 }).toBe('succeeded');
  }, 90_000);

  it('with --no-wait, which prints the id of the work', async () => {
    const { exit, out } = await deploy(['--no-wait']);
    const id = /^Begun\t(\S+)\n$/.exec(out)?.[1] ?? '';
    expect(exit).toBe(0);
    await expect.poll(() => stateOf(id), { timeout: 60_000 }).toBe('succeeded');
  }, 90_000);
});
