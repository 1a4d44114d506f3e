import type { Command } from '@homeport/dokku';
import { expect, test } from 'vitest';
import { type Run, readAppState } from './read-state.ts';

const pushedAt = 1_795_245_905_000;
const done = (stdout: unknown) => ({ exitCode: 0, stdout: JSON.stringify(stdout), stderr: '' });
const unknownCommand = { exitCode: 1, stdout: '', stderr: ' !     `builds:list` is not a dokku command.\n' };

const running = { deployed: 'true', running: 'true', restore: 'true', processes: '1' };
const answers = {
  'ps:report': done({ ...running, 'status-web.1': 'running (CID: 0123456789a)' }),
  'builds:list': unknownCommand,
  urls: { exitCode: 0, stdout: 'http://ledger.example.com\n', stderr: '' },
  'domains:report': done({ 'app-vhosts': 'ledger.example.com' }),
  'git:report': done({ 'deploy-branch': 'trunk', 'last-updated-at': String(pushedAt / 1000) }),
  'ps:inspect': { exitCode: 1, stdout: '', stderr: 'requires at least 1 argument' },
};
type Answers = { [K in keyof typeof answers]: { exitCode: number; stdout: string; stderr: string } };

/** A server that gives these answers, and what it was asked. */
function serverWith(changes: Partial<Answers> = {}) {
  const asked: string[] = [];
  const told: Answers = { ...answers, ...changes };
  const run: Run = async ({ words }: Command) => {
    const name = words[0] ?? '';
    asked.push(name);
    const answer = told[name as keyof Answers];
    const command = words.join(' ');
    const record = { account: 'homeport', command, exitCode: answer.exitCode, startedAt: 0, durationMs: 0 };
    return { ...answer, record };
  };
  return { run, asked };
}

const crashed = {
  'ps:report': done({
    ...running,
    running: 'false',
    'status-web.1': 'exited (CID: 0123456789a)',
    'status-worker.1': 'running (CID: 0123456789b)',
  }),
  'ps:inspect': done(
    ['web.1', 'worker.1'].map((name) => ({
      Name: `/ledger.${name}`,
      RestartCount: 10,
      State: {
        Status: name === 'web.1' ? 'exited' : 'running',
        OOMKilled: name === 'web.1',
        ExitCode: name === 'web.1' ? 137 : 0,
        FinishedAt: name === 'web.1' ? '2026-11-21T07:25:05.000000001Z' : '0001-01-01T00:00:00Z',
      },
      HostConfig: { Memory: 0, NanoCpus: 0 },
      Config: { Labels: { 'com.dokku.dyno': name } },
    })),
  ),
};
const build = (display_status: string) =>
  done([
    {
      id: 'mwq31pz4mbibzl',
      kind: 'build',
      source: 'git-hook',
      started_at: '2026-11-21T07:24:44Z',
      ...(display_status === 'running' ? {} : { finished_at: '2026-11-21T07:25:05Z' }),
      display_status,
    },
  ]);

test('a server without a deploy history tells when it was pushed to', async () => {
  const state = await readAppState(serverWith().run, 'ledger');
  expect(state).toMatchObject({ facts: { deploy_status: 'succeeded', deployed_at: pushedAt } });
});

test('the history comes first where it has a deploy that succeeded', async () => {
  const state = await readAppState(serverWith({ 'builds:list': build('succeeded') }).run, 'ledger');
  expect(state).toMatchObject({ facts: { deployed_at: Date.parse('2026-11-21T07:25:05Z') } });
});

test('an app that was pushed to and never deployed has no time of a deploy', async () => {
  const never = {
    'ps:report': done({ deployed: 'false', running: 'false', restore: 'true', processes: '0' }),
  };
  const state = await readAppState(serverWith(never).run, 'ledger');
  expect(state).toMatchObject({ facts: { deploy_status: 'never', deployed_at: null, crash: null } });
});

test('the deploy branch is the one that is set, and none where the first push is to choose', async () => {
  expect(await readAppState(serverWith().run, 'ledger')).toMatchObject({ facts: { deploy_branch: 'trunk' } });
  const unset = done({ 'deploy-branch': '', 'computed-deploy-branch': 'master', 'last-updated-at': '' });
  expect(await readAppState(serverWith({ 'git:report': unset }).run, 'ledger')).toMatchObject({
    facts: { deploy_branch: null },
  });
  const global = done({
    'deploy-branch': '',
    'global-deploy-branch': 'live',
    'computed-deploy-branch': 'live',
  });
  expect(await readAppState(serverWith({ 'git:report': global }).run, 'ledger')).toMatchObject({
    facts: { deploy_branch: 'live' },
  });
});

test('a name that git does not take is no branch', async () => {
  const odd = done({ 'deploy-branch': '--upload-pack=x', 'last-updated-at': '' });
  expect(await readAppState(serverWith({ 'git:report': odd }).run, 'ledger')).toMatchObject({
    facts: { deploy_branch: null },
  });
});

test('a crash names the processes that do not run, and how they ended', async () => {
  const state = await readAppState(serverWith(crashed).run, 'ledger');
  if (state.kind === 'missing') throw new Error('The app is there.');
  expect(state.facts.stopped).toBe(false);
  expect(JSON.parse(state.facts.crash ?? '')).toEqual({
    at: Date.parse('2026-11-21T07:25:05.000Z'),
    processes: [{ name: 'web.1', exitCode: 137, restarts: 10, outOfMemory: true }],
  });
});

test('while a deploy runs nothing is said of a crash', async () => {
  const state = await readAppState(serverWith({ ...crashed, 'builds:list': build('running') }).run, 'ledger');
  if (state.kind === 'missing') throw new Error('The app is there.');
  expect(state.facts).not.toHaveProperty('crash');
});

test('the branch and the crash are read again only when containers or deploys changed', async () => {
  const { run, asked } = serverWith(crashed);
  const first = await readAppState(run, 'ledger');
  expect(asked).toHaveLength(6);
  expect(await readAppState(run, 'ledger', first)).toEqual(first);
  expect(asked).toHaveLength(10);
  const after = serverWith();
  expect(await readAppState(after.run, 'ledger', first)).toMatchObject({ facts: { crash: null } });
  expect(after.asked).toHaveLength(5);
});
