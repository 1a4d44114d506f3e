import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as dokku from '@homeport/dokku';
import { recorded } from '@homeport/dokku/testing/transcript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareSandboxHost, type SandboxHost } from './index.ts';

// `git:from-archive` with a file on stdin, as the recorder tried it on a real server (dokku/transcripts/git.json).

const app = dokku.appName('one');
let folder: string;
let host: SandboxHost;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'git-from-archive-'));
  host = await prepareSandboxHost({ root: join(folder, 'host') });
  expect(run(dokku.apps.create(app)).exitCode).toBe(0);
}, 60_000);
afterAll(async () => {
  await host?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const run = ({ words }: dokku.Command, input: Uint8Array = Buffer.alloc(0)): dokku.Outcome =>
  runWords(words, input);

function runWords(words: readonly string[], input: Uint8Array = Buffer.alloc(0)): dokku.Outcome {
  const { status, stdout, stderr } = spawnSync('dokku', words, { env: host.env, input });
  return { exitCode: status, stdout: stdout.toString(), stderr: stderr.toString() };
}

/** A tar of files below one folder, as GitHub makes it; without `top`, of the files themselves. */
function tarOf(files: Record<string, string>, { top = '' } = {}, zip = ''): Buffer {
  const place = mkdtempSync(join(folder, 'tar-'));
  mkdirSync(join(place, top), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place, top, name), text);
  const names = top === '' ? Object.keys(files) : [top];
  return execFileSync('tar', [`-c${zip}`, '-C', place, ...names]);
}

const site = (text: string) =>
  tarOf({ 'index.html': text, '.hidden': 'kept' }, { top: 'octo-site-1234567' }, 'z');
const deployTar = (tar: Buffer) => runWords(['git:from-archive', '--archive-type', 'tar', app, '--'], tar);
const deploy = (tar: Buffer) => run(dokku.git.fromArchive(app), tar);
const git = (...words: string[]) =>
  execFileSync('git', [
    '-c',
    'safe.directory=*',
    `--git-dir=${join(folder, 'host/home/one')}`,
    ...words,
  ]).toString();

/** The lines up to the deploy, without what each run has of its own. */
const before = (text: string) =>
  text
    .replaceAll(/\/tmp\/dokku-\S+?(?=\/src|\s|$)/gm, '<folder>')
    .replaceAll(/timestamp=\S+/g, 'timestamp=<time>')
    .replaceAll(/[0-9a-f]{7}\.\.[0-9a-f]{7}/g, '<commits>')
    .replaceAll(/^\d+$/gm, '<bytes>')
    .split('\n')
    .filter((_, index, lines) => index <= lines.findIndex((line) => line.includes(' -> ')));

test('tells each step of a tar on stdin as a real server does', () => {
  expect(deployTar(tarOf({ 'index.html': 'first', 'README.md': '' })).exitCode).toBe(0);
  const { exitCode, stdout, stderr } = deployTar(tarOf({ 'index.html': 'second', 'README.md': '' }));
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(before(stdout)).toEqual(before(recorded('git', 'from-archive, a tar on stdin').stdout));
  expect(stdout).toContain('=====> Application deployed:');
}, 60_000);

test('ends like a real server when nothing is on stdin', () => {
  const { exitCode, stdout } = recorded('git', 'from-archive, nothing on stdin');
  expect(deployTar(Buffer.alloc(0))).toEqual({ exitCode, stdout, stderr: '' });
}, 60_000);

test('takes the folder at the top of a tar.gz away, and commits on top of what the app has', () => {
  const [parent] = git('rev-parse', 'master').split('\n');
  const { exitCode, stdout } = deploy(site('from GitHub'));
  expect(exitCode).toBe(0);
  expect(stdout).toContain('       Extracting gzipped tarball\n');
  expect(stdout).toContain('       Stripping top-level archive folder components\n');
  expect(git('ls-tree', '--name-only', 'master')).toBe('.hidden\nindex.html\n');
  expect(git('show', 'master:index.html')).toBe('from GitHub');
  expect(git('rev-parse', 'master^').trim()).toBe(parent);
  expect(git('log', '-1', '--format=%an <%ae>', 'master')).toBe('Dokku <automated@dokku.sh>\n');
  const report = dokku.apps.readReport(run(dokku.apps.report(app)));
  expect([report.deploySource, report.deploySourceMetadata]).toEqual(['tar.gz', '--']);
}, 60_000);

test('takes the same files once, and the reader knows why', () => {
  const outcome = deploy(site('from GitHub'));
  expect(outcome.exitCode).toBe(1);
  expect(dokku.failureOf(outcome)).toEqual({ code: 'nothing_new' });
}, 60_000);

test('commits nothing of an archive that was cut off anywhere, and the reader knows why', () => {
  const whole = site(`cut ${'0123456789abcdef'.repeat(1_000)}`);
  const kept = git('rev-parse', 'master');
  for (const bytes of [0, 1, 10, Math.floor(whole.length / 2), whole.length - 9, whole.length - 1]) {
    const outcome = deploy(whole.subarray(0, bytes));
    expect([bytes, outcome.exitCode, dokku.failureOf(outcome)]).toEqual([
      bytes,
      2,
      { code: 'archive_damaged' },
    ]);
  }
  expect(git('rev-parse', 'master')).toBe(kept);
  expect(deploy(whole).exitCode).toBe(0);
}, 120_000);

test('refuses an archive that leads out of its folder, in words that the reader passes on', () => {
  const place = mkdtempSync(join(folder, 'tar-'));
  writeFileSync(join(place, 'x'), '');
  const tar = execFileSync('tar', ['-cz', '-C', place, '--transform=s|^|../../|', '-P', 'x']);
  expect(dokku.failureOf(deploy(tar))).toEqual({
    code: 'archive_refused',
    text: 'contains entries with parent directory traversal',
  });
}, 60_000);

test('puts the branch back when the build fails, so that the same archive is news again', () => {
  const kept = git('rev-parse', 'master');
  const broken = tarOf({ 'README.md': 'nothing to run' }, { top: 'octo-site-7654321' }, 'z');
  for (const _ of [1, 2]) expect(dokku.failureOf(deploy(broken))).toEqual({ code: 'build_failed' });
  expect(git('rev-parse', 'master')).toBe(kept);
}, 60_000);
