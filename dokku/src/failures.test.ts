import { readdirSync } from 'node:fs';
import { failureTailCharacters } from '@homeport/contract/limits';
import { expect, test } from 'vitest';
import { recorded, rowsOf } from '../testing/transcript.ts';
import { dokku } from './command.ts';
import { failureOf } from './failures.ts';

test.each([
  ['apps', 'create, again', { code: 'name_taken' }],
  ['apps', 'create, capital letter', { code: 'name_invalid' }],
  ['apps', 'exists, missing', { code: 'app_missing', app: 'nope' }],
  ['apps', 'create, leading --', { code: 'bad_usage', text: 'Usage of apps:create:\nunknown flag: --app' }],
  ['ssh-keys', 'add, same name and same key', { code: 'duplicate_key' }],
  ['ssh-keys', 'add, another name, same key', { code: 'duplicate_key' }],
  ['ssh-keys', 'add, not a key', { code: 'key_invalid' }],
  ['ssh-keys', 'add over the dokku user', { code: 'must_be_root' }],
  ['ssh-keys', 'add, key without a trailing newline', { code: 'failed', exitCode: 1, text: '' }],
  ['acl', 'add again', { code: 'already_allowed' }],
  ['acl', 'push by a user who is not listed', { code: 'access_denied' }],
  ['domains', 'add, invalid characters', { code: 'domain_invalid' }],
  ['resource', 'more cpus than the host has: ps restart', { code: 'too_many_cpus', available: '2' }],
  ['ps', 'start, never deployed', { code: 'not_deployed' }],
  ['ps', 'restart, never deployed', { code: 'not_deployed' }],
  ['ps', 'rebuild, never deployed', { code: 'nothing_to_build' }],
  ['ps', 'restart, missing app', { code: 'app_missing', app: 'nope' }],
  ['ps', 'restart, the new containers crash', { code: 'checks_failed' }],
  ['ps', 'scale, unknown process', { code: 'process_unknown' }],
  ['git-push', 'push, creates the app, build fails', { code: 'build_failed' }],
  ['git-push', 'push, the container exits at once', { code: 'checks_failed' }],
  ['locks', 'during a build: second push', { code: 'deploy_locked' }],
  ['locks', 'during a build: ps rebuild', { code: 'deploy_locked' }],
  ['letsencrypt', 'enable without e-mail', { code: 'email_missing' }],
  [
    'probe',
    'command of a plugin that is not installed',
    { code: 'command_unknown', command: 'postgres:list' },
  ],
  ['probe', 'dokku as an ordinary user without sudo rights', { code: 'sudo_password' }],
  ['logs', 'logs, never deployed', { code: 'not_deployed' }],
  ['git', 'sync --build, host cannot be resolved', { code: 'repository_unreachable' }],
  ['git', 'sync, not a url', { code: 'repository_refused' }],
  ['git', 'sync, unknown branch', { code: 'commit_missing' }],
  ['git', 'from-archive, nothing on stdin', { code: 'archive_damaged' }],
  ['git', 'load-image, an image on stdin', { code: 'nothing_new' }],
])('reads the failure of %s: "%s"', (file, title, failure) => {
  expect(failureOf(recorded(file, title))).toEqual(failure);
});

test.each([
  ['apps', 'create, global domain set'],
  ['domains', 'add'],
  ['ps', 'start, already running'],
  ['ps', 'stop'],
  ['git-push', 'push to another branch'],
  ['acl', 'report'],
])('reads %s: "%s" as a success, whatever stderr holds', (file, title) => {
  expect(failureOf(recorded(file, title))).toBeNull();
});

test.each([
  [{ exitCode: 127, stdout: '', stderr: 'bash: line 1: dokku: command not found\n' }, 'not_installed'],
  [{ exitCode: 1, stdout: '', stderr: 'sudo: dokku: command not found\n' }, 'not_installed'],
  [{ exitCode: 127, stdout: '', stderr: 'env: ‘dokku’: No such file or directory\n' }, 'not_installed'],
  [{ exitCode: null, stdout: '-----> Deploying', stderr: '' }, 'connection_lost'],
  [
    { exitCode: 100, stdout: '', stderr: 'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held\n' },
    'package_lock',
  ],
  [{ exitCode: 100, stdout: '', stderr: 'E: Unable to fetch\n' }, 'package_failed'],
])('reads %o as %s', (outcome, code) => {
  expect(failureOf(outcome)?.code).toBe(code);
});

test('names only the command of a line that Dokku does not know, without its arguments', () => {
  const stderr =
    ' !     `storage:create hello-data --chown herokuish` is not a dokku command.\n !     See `dokku help` for a list of available commands.\n';
  expect(failureOf({ exitCode: 1, stdout: '', stderr })).toEqual({
    code: 'command_unknown',
    command: 'storage:create',
  });
});

test.each([
  ['backticks in one line', (length: number) => '`a'.repeat(length / 2)],
  ['one word after a backtick', (length: number) => '`'.padEnd(length, 'a')],
  ['backticks, then one word', (length: number) => '`'.repeat(length / 2).padEnd(length, 'a')],
  [
    'the beginning of a cause, again and again',
    (length: number) => "Cannot build from '".repeat(length / 19),
  ],
  ['control sequences without an end', (length: number) => '\u001b['.repeat(length / 2)],
])('reads a failed command in linear time that printed %s', (_name, print) => {
  const used = (length: number) => {
    const outcome = { exitCode: 1, stdout: print(length), stderr: print(length) };
    const before = process.cpuUsage().user;
    failureOf(outcome);
    return process.cpuUsage().user - before;
  };
  used(6_000);
  // An earlier version took 36 seconds for 6,000 characters.
  expect(used(6_000)).toBeLessThan(500_000);
  expect(used(1_000_000)).toBeLessThan(500_000);
});

test('looks for the cause in the end of the output only, so that the time is bounded', () => {
  const cause = 'bash: line 1: dokku: command not found\n';
  const printed = (rest: number) => ({
    exitCode: 1,
    stdout: '',
    stderr: `${cause}${'a line of a build\n'.repeat(failureTailCharacters).slice(0, rest)}`,
  });
  expect(failureOf(printed(failureTailCharacters - cause.length))?.code).toBe('not_installed');
  expect(failureOf(printed(failureTailCharacters))?.code).toBe('failed');
});

const transcripts = readdirSync(new URL('../transcripts/', import.meta.url)).flatMap((file) =>
  /^(?!durations)[a-z-]+\.json$/.test(file) ? [file.slice(0, -'.json'.length)] : [],
);

test.each(transcripts)('explains nothing by what the good commands of %s printed', (file) => {
  const good = rowsOf(file).filter(({ title, exit, stdout, stderr }) => {
    const ran = { exitCode: exit, stdout, stderr };
    // Dokku ends with 0 where a variable was set and the restart after it failed, and where `--ignore-existing` found the name.
    return exit === 0 && !/ crash| taken/.test(title) && failureOf(ran) === null;
  });
  const explained = good.flatMap(({ title, argv, stdout, stderr }) => {
    const words = argv.slice(argv.indexOf('dokku') + 1);
    const command = argv.includes('dokku') ? dokku(...words) : undefined;
    const failure = failureOf({ exitCode: 1, stdout, stderr }, command);
    return failure?.code === 'failed' ? [] : [{ title, failure }];
  });
  expect(explained).toEqual([]);
});

const goodStart = [
  '-----> Processing deployment checks',
  '=====> Start of demo container output (841a34e44c63 web.1)',
  '       listening on 5000',
  '=====> End of demo container output (841a34e44c63 web.1)',
  "/tmp/bashenv.2: line 23: syntax error near unexpected token `('",
].join('\n');

test('does not take the output of an app’s container for a database that does not answer', () => {
  const ran = { exitCode: 1, stdout: goodStart, stderr: '' };
  expect(failureOf(ran)?.code).toBe('failed');
  const database =
    '=====> Start of dokku.postgres.shop container output\n=====> End of dokku.postgres.shop container output\n';
  expect(failureOf({ ...ran, stdout: database }, dokku('postgres:create', 'shop'))?.code).toBe(
    'service_not_ready',
  );
  expect(failureOf({ ...ran, stdout: database }, dokku('ps:restart', 'shop'))?.code).toBe('failed');
});

test.each([
  'Name is already taken',
  'Postgres service shop does not exist',
  'listen EADDRINUSE: address already in use :::5000',
  'Archive contains a joke',
  'rate-limited this request',
  'The import into shop failed',
  'Duplicate ssh key name',
  'OpenSSH is not installed on this server',
])('does not explain a failed start by a line of the app’s own program: %s', (line) => {
  const ran = { exitCode: 1, stdout: `       ${line}\n`, stderr: '' };
  expect(failureOf(ran, dokku('ps:restart', 'shop'))?.code).toBe('failed');
});
