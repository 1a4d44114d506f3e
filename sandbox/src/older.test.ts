import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareSandboxHost, type SandboxHost } from './index.ts';

/** The expected answers come from Dokku's source: plugins/storage of v0.35.0 and v0.37.10, and the script `dokku`. */
describe.each(['0.35.0', '0.37.10'])('a sandbox of Dokku %s', (dokkuVersion) => {
  let base: string;
  let host: SandboxHost;

  beforeAll(async () => {
    base = mkdtempSync(join(tmpdir(), 'older-'));
    host = await prepareSandboxHost({ root: join(base, 'host'), dokkuVersion });
    dokku('apps:create', 'hello');
  });
  afterAll(async () => {
    await host?.dispose();
    rmSync(base, { recursive: true, force: true });
  });

  function run(file: string, ...words: readonly string[]) {
    const env = { ...process.env, ...host.env, DOKKU_TAG: 'v0.38.27' };
    const { status, stdout, stderr } = spawnSync(file, words, { encoding: 'utf8', env, timeout: 60_000 });
    return { status, stdout, stderr };
  }
  const dokku = (...words: readonly string[]) => run('dokku', ...words);
  const refused = (text: string) => ({ status: 1, stdout: '', stderr: ` !     ${text}\n` });
  const data = '/var/lib/dokku/data/storage/data';

  test('says its version', () => {
    expect(dokku('version').stdout).toBe(`dokku version ${dokkuVersion}\n`);
  });

  test.each([
    ['storage:create', 'data', '--chown', 'herokuish'],
    ['storage:list-entries', '--format', 'json'],
    ['builds:list', 'hello', '--format', 'json'],
  ])('does not know %s, and repeats the whole line', (...words) => {
    const { status, stderr } = dokku(...words);
    expect(status).toBe(1);
    expect(stderr).toBe(
      ` !     \`${words.join(' ')}\` is not a dokku command.\n !     See \`dokku help\` for a list of available commands.\n`,
    );
  });

  test('makes a folder repeatedly, without calling the command deprecated', () => {
    const made = `-----> Ensuring ${data} exists\n       Setting directory ownership to 32767:32767\n       Directory ready for mounting\n`;
    for (let time = 0; time < 2; time += 1) {
      expect(dokku('storage:ensure-directory', '--chown', 'herokuish', 'data')).toEqual({
        status: 0,
        stdout: made,
        stderr: '',
      });
    }
    expect(dokku('storage:ensure-directory', '--chown', 'nobody', 'data')).toEqual(
      refused('Unsupported chown permissions'),
    );
  });

  test('mounts a folder by its path, once, and lists it without a name', () => {
    expect(dokku('storage:mount', 'hello', data)).toEqual(
      refused('Storage path must be two valid paths divided by colon.'),
    );
    expect(dokku('storage:mount', 'hello', `${data}:/app/data`)).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
    });
    expect(dokku('storage:mount', 'hello', `${data}:/app/data`)).toEqual(
      refused('Mount path already exists.'),
    );
    expect(JSON.parse(dokku('storage:list', 'hello', '--format', 'json').stdout)).toEqual([
      { host_path: data, container_path: '/app/data', volume_options: '' },
    ]);
  });

  test('before 0.37.5 takes a mount for an existing one that begins with the same text', () => {
    const done = dokku('storage:mount', 'hello', `${data}:/app/d`);
    expect(done).toEqual(
      dokkuVersion === '0.35.0'
        ? refused('Mount path already exists.')
        : { status: 0, stdout: '', stderr: '' },
    );
  });

  test('unmounts a folder once', () => {
    expect(dokku('storage:unmount', 'hello', `${data}:/app/data`).status).toBe(0);
    expect(dokku('storage:unmount', 'hello', `${data}:/app/data`)).toEqual(
      refused('Mount path does not exist.'),
    );
  });

  test('has the version that the installer installs', () => {
    const script = join(base, 'bootstrap.sh');
    expect(run('wget', '-qO', script, 'https://dokku.com/install/v0.38.27/bootstrap.sh').status).toBe(0);
    expect(run('bash', script).status).toBe(0);
    expect(dokku('version').stdout).toBe('dokku version 0.38.27\n');
    expect(dokku('storage:create', 'data').status).toBe(0);
  });
});
