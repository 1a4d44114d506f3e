import type { Command } from '@homeport/dokku';
import { expect, test } from 'vitest';
import { type Run, readAppState } from './read-state.ts';

const pushedAt = 1_795_245_905_000;
const done = (stdout: unknown) => ({ exitCode: 0, stdout: JSON.stringify(stdout), stderr: '' });
const unknownCommand = { exitCode: 1, stdout: '', stderr: ' !     `builds:list` is not a dokku command.\n' };

const said = (stdout: string) => ({ exitCode: 0, stdout, stderr: '' });
type Kind = 'running' | 'exited';
const container = (name: string, state: Kind) => ({
  Id: '0123456789abcdef'.repeat(4),
  Image: `sha256:${'0123456789abcdef'.repeat(4)}`,
  Created: '2026-11-21T07:20:00.000000001Z',
  Name: `/ledger.${name}`,
  RestartCount: state === 'exited' ? 10 : 0,
  State: {
    Status: state,
    OOMKilled: state === 'exited',
    ExitCode: state === 'exited' ? 137 : 0,
    FinishedAt: state === 'exited' ? '2026-11-21T07:25:05.000000001Z' : '0001-01-01T00:00:00Z',
  },
  HostConfig: {
    Memory: 0,
    NanoCpus: 0,
    RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 10 },
  },
  Config: { Labels: { 'com.dokku.dyno': name } },
});

const answers = {
  'ps:report --deployed': said('true\n'),
  'ps:report --restore': said('true\n'),
  'ps:report --running': said('false\n'),
  'builds:list': unknownCommand,
  urls: { exitCode: 0, stdout: 'http://ledger.example.com\n', stderr: '' },
  'domains:report': done({ 'app-vhosts': 'ledger.example.com' }),
  'git:report': done({ 'deploy-branch': 'trunk', 'last-updated-at': String(pushedAt / 1000) }),
  'ps:inspect': done([container('web.1', 'running')]),
  'homeport:state': {
    exitCode: 1,
    stdout: '',
    stderr: ' !     `homeport:state ledger` is not a dokku command.\n',
  },
};
type Answers = { [K in keyof typeof answers]: { exitCode: number; stdout: string; stderr: string } };

/** A server that gives these answers, and what it was asked. */
function serverWith(changes: Partial<Answers> = {}) {
  const asked: string[] = [];
  const told: Answers = { ...answers, ...changes };
  const run: Run = async ({ words }: Command) => {
    const flag = words[0] === 'ps:report' ? ` ${words[2]}` : '';
    const name = `${words[0]}${flag}`;
    asked.push(name);
    const answer = told[name as keyof Answers];
    const command = words.join(' ');
    const record = { account: 'homeport', command, exitCode: answer.exitCode, startedAt: 0, durationMs: 0 };
    return { ...answer, record };
  };
  return { run, asked };
}

const crashed = {
  'ps:inspect': done([container('web.1', 'exited'), container('worker.1', 'running')]),
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

test('a failed deploy is recorded as one, and a deploy that a person cancelled leaves what was before it', async () => {
  const failedAt = Date.parse('2026-11-21T07:24:44Z');
  const succeededBefore = { deploy_status: 'succeeded', deploy_failed_at: null };
  const failed = { deploy_status: 'failed', deploy_failed_at: failedAt };
  const records = (...statuses: string[]) =>
    done(statuses.flatMap((status) => JSON.parse(build(status).stdout) as unknown[]));
  const cases: [statuses: string[], facts: object][] = [
    [['failed', 'succeeded'], failed],
    [['abandoned', 'succeeded'], failed],
    [['canceled', 'succeeded'], succeededBefore],
    [['canceled', 'failed'], failed],
    [['canceled'], succeededBefore],
  ];
  for (const [statuses, facts] of cases) {
    const state = await readAppState(serverWith({ 'builds:list': records(...statuses) }).run, 'ledger');
    expect(state, statuses.join()).toMatchObject({ facts });
  }
});

test('an app that was pushed to and never deployed has no time of a deploy', async () => {
  const never = { 'ps:report --deployed': said('false\n') };
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

test('an app that somebody stopped is stopped and did not crash', async () => {
  const stopped = {
    ...crashed,
    'ps:report --restore': said('false\n'),
    'ps:inspect': done([container('web.1', 'exited')]),
  };
  expect(await readAppState(serverWith(stopped).run, 'ledger')).toMatchObject({
    facts: { stopped: true, crash: null },
  });
});

test('a scheduler that names no containers is asked whether the app runs', async () => {
  const pods = {
    'ps:inspect': { exitCode: 1, stdout: '', stderr: 'not implemented' },
    'ps:report --running': said('true\n'),
  };
  expect(await readAppState(serverWith(pods).run, 'ledger')).toMatchObject({
    facts: { stopped: false, crash: null },
  });
});

test('no dear report is asked, and the branch again only when containers or deploys changed', async () => {
  const { run, asked } = serverWith(crashed);
  const before = await readAppState(run, 'ledger');
  expect(asked).toHaveLength(7);
  expect(await readAppState(run, 'ledger', { before })).toEqual(before);
  expect(asked).toHaveLength(13);
  expect(asked).not.toContain('ps:report undefined');
  const after = serverWith();
  expect(await readAppState(after.run, 'ledger', { before })).toMatchObject({ facts: { crash: null } });
  expect(after.asked).toHaveLength(7);
});

test('a server whose plugin is gone is read by reports, and says so', async () => {
  const { run, asked } = serverWith();
  expect(await readAppState(run, 'ledger', { plugin: '1.0.0' })).toMatchObject({
    pluginGone: true,
    facts: { deploy_status: 'succeeded' },
  });
  expect(asked[0]).toBe('homeport:state');
});

const told = (containers: string) =>
  said(`{"v":1,"plugin":"9.9.9","from a later version":true}
{"server":{"properties":{},"domains":["example.com"],"cpus":2,"keepsBuilds":true,"namesStorage":true}}
{"app":{"name":"ledger","properties":{"common.deployed":"true","ps.restore":"true"},"domains":["ledger.example.com"],"routed":true,"certificate":false,"processes":[{"name":"web.1","id":"${'ab'.repeat(32)}"}]}}
{"unheard-of":1}
${containers}
{"end":true}
`);

test('the plugin tells the whole state in one start', async () => {
  const answer = told(
    `{"container":{"id":"${'ab'.repeat(32)}","state":"exited","exitCode":1,"outOfMemory":false,"restarts":10,"endedAt":"2026-11-21T07:25:05Z","memory":0,"nanoCpus":0,"cpuQuota":0,"cpuPeriod":0}}`,
  );
  const { run, asked } = serverWith({ 'homeport:state': answer });
  const state = await readAppState(run, 'ledger', { plugin: '1.0.0' });
  expect(asked).toEqual(['homeport:state']);
  if (state.kind === 'missing') throw new Error('The app is there.');
  expect(state).toMatchObject({
    pluginGone: false,
    containerIds: ['abababababa'],
    facts: { stopped: false, url: 'http://ledger.example.com', domains: ['ledger.example.com'] },
    told: { deploys: { supported: true, deploys: [] }, system: { ports: ['http:80:5000'], proxy: 'nginx' } },
  });
  expect(JSON.parse(state.facts.crash ?? '')).toMatchObject({ processes: [{ name: 'web.1', exitCode: 1 }] });
});

test('where Docker did not answer the plugin, Dokku’s reports decide', async () => {
  const { run, asked } = serverWith({ 'homeport:state': told('{"containers":"unknown"}') });
  expect(await readAppState(run, 'ledger', { plugin: '1.0.0' })).toMatchObject({
    pluginGone: false,
    facts: { crash: null, stopped: false },
  });
  expect(asked).toContain('ps:inspect');
});
