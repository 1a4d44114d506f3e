import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as dokku from '@homeport/dokku';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareSandboxHost, type SandboxHost } from './index.ts';

// `git:sync` from a folder, as the recorder tried it on a real server (dokku/transcripts/git.json).

const app = dokku.appName('overssh');
let folder: string;
let host: SandboxHost;
let remote: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'git-sync-'));
  host = await prepareSandboxHost({ root: join(folder, 'host') });
  expect(run(dokku.apps.create(app)).exitCode).toBe(0);
  const site = join(folder, 'site');
  mkdirSync(site);
  remote = `file://${site}`;
  git('init', '-q', '-b', 'main');
  commit('first');
}, 60_000);
afterAll(async () => {
  await host?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const git = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...words], {
    cwd: join(folder, 'site'),
    encoding: 'utf8',
  }).trim();

function commit(text: string): string {
  writeFileSync(join(folder, 'site', 'index.html'), text);
  git('add', '.');
  git('commit', '-q', '-m', text);
  return git('rev-parse', 'HEAD');
}

const run = ({ words }: dokku.Command): dokku.Outcome => runWords(words);

function runWords(words: readonly string[]): dokku.Outcome {
  const { status, stdout, stderr } = spawnSync('dokku', words, { env: host.env, encoding: 'utf8' });
  return { exitCode: status, stdout, stderr };
}

const sync = (ref: string) => runWords(['git:sync', '--build', app, remote, ref]);
const deployed = () => dokku.apps.readReport(run(dokku.apps.report(app)));

test('clones the first time, takes the branch as the one that deploys, and deploys', () => {
  const { exitCode, stdout, stderr } = sync('main');
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout.split('\n').slice(0, 3)).toEqual([
    `-----> Cloning overssh from ${remote}#main`,
    '       Detected branch, setting deploy-branch to main',
    '-----> Cleaning up...',
  ]);
  expect(stdout).toContain('=====> Application deployed:');
  expect(deployed().deploySource).toBe('git-sync');
  expect(dokku.git.readReport(run(dokku.git.report(app))).deployBranch).toBe('main');
}, 60_000);

test('deploys an older commit by its name, and then the branch again', () => {
  const first = git('rev-parse', 'HEAD');
  const second = commit('second');
  const fetched = `       Fetching remote code for overssh from ${remote}#${second}`;
  expect(sync(second).stdout.split('\n')[0]).toBe(fetched);
  expect(sync(first).exitCode).toBe(0);
  const report = runWords(['apps:report', app, '--app-deploy-source-metadata']);
  expect(report.stdout).toBe(`${remote}#${first}\n`);
  expect(sync('main').exitCode).toBe(0);
}, 60_000);

test('ends like git for a branch that the repository does not have, and the reader knows why', () => {
  const outcome = sync('nobranch');
  expect(outcome).toMatchObject({
    exitCode: 128,
    stdout: `       Fetching remote code for overssh from ${remote}#nobranch\nfatal: nobranch^{commit}: not a valid SHA1\n`,
  });
  expect(dokku.failureOf(outcome)).toEqual({ code: 'commit_missing' });
});
