import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as dokku from '@homeport/dokku';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSshd, type TestHost } from '../testing/sshd.ts';
import { prepareSandboxHost, type SandboxHost } from './index.ts';

// The plugin's own files with the real ssh-keygen and ssh, and git with a real sshd that stands for a Git host.

const app = dokku.appName('ledger');
const other = dokku.appName('other.app');
let folder: string;
let host: SandboxHost;
let gitHost: TestHost;
let hostKey: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'deploy-keys-'));
  host = await prepareSandboxHost({ root: join(folder, 'host') });
  const plugin = join(host.root, 'machine/var/lib/dokku/plugins/available/homeport');
  cpSync(fileURLToPath(new URL('../../dokku/plugin', import.meta.url)), plugin, { recursive: true });
  expect(run(dokku.plugin.enable('homeport')).exitCode).toBe(0);
  for (const name of [app, other]) expect(run(dokku.apps.create(name)).exitCode).toBe(0);
  // An sshd for whoever has a key in its file, with a shell: the repository is a path on it.
  gitHost = await startSshd(join(folder, 'git-host'), host);
  hostKey = publicKeyIn(join(folder, 'git-host/host.pub'));
}, 60_000);
afterAll(async () => {
  await gitHost?.stop();
  await host?.dispose();
  rmSync(folder, { recursive: true, force: true });
});
const ssh = () => join(host.root, 'ssh');
const settings = () => join(ssh(), 'config');
beforeEach(() => rmSync(ssh(), { recursive: true, force: true }));
afterEach(() => rmSync(settings(), { recursive: true, force: true }));

const publicKeyIn = (file: string) => readFileSync(file, 'utf8').split(' ').slice(0, 2).join(' ').trim();
const run = (command: dokku.Command): dokku.Outcome => runWords(command.words, command.stdin ?? '');
function runWords(words: readonly string[], input = ''): dokku.Outcome {
  const { status, stdout, stderr } = spawnSync('dokku', words, { env: host.env, encoding: 'utf8', input });
  return { exitCode: status, stdout, stderr };
}
const runBeside = (command: dokku.Command): Promise<dokku.Outcome> =>
  new Promise((resolve) => {
    const child = execFile('dokku', command.words, { env: host.env }, (error, stdout, stderr) =>
      resolve({ exitCode: error ? Number(error.code) : 0, stdout, stderr }),
    );
    // A command may refuse before it reads.
    child.stdin?.on('error', () => {});
    child.stdin?.end(command.stdin);
  });

const onGitHost = (repository = 'octo/site', hostKeys = [hostKey]): dokku.deployKeys.GitHost => ({
  ...{ host: '127.0.0.1', port: gitHost.port, user: userInfo().username },
  ...{ repository, hostKeys },
});
const write = (name: dokku.AppName, to = onGitHost()) => run(dokku.deployKeys.write(name, to));
const publicKeyOf = (name: dokku.AppName, to = onGitHost()) =>
  dokku.deployKeys.readWritten(write(name, to), name);
const remove = (name: dokku.AppName) => dokku.deployKeys.readRemoved(run(dokku.deployKeys.remove(name)));
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('the pair', () => {
  it('is made on the server, and only its public half is told', () => {
    const outcome = write(app);
    const key = dokku.deployKeys.readWritten(outcome, app);
    const place = join(ssh(), 'homeport', app);
    expect(publicKeyIn(join(place, 'key.pub'))).toBe(key);
    expect(
      execFileSync('ssh-keygen', ['-y', '-P', '', '-f', join(place, 'key')], { encoding: 'utf8' }),
    ).toContain(key);
    const secret = readFileSync(join(place, 'key'), 'utf8').split('\n')[2] ?? '';
    expect(outcome.stdout + outcome.stderr).not.toContain(secret);
    expect([place, join(place, 'key'), settings()].map(modeOf)).toEqual(['700', '600', '600']);
  });

  it('stays while it is whole and the repository is the same, and each app has its own', () => {
    const key = publicKeyOf(app);
    expect(publicKeyOf(app)).toBe(key);
    expect(publicKeyOf(other)).not.toBe(key);
    expect(publicKeyOf(app)).toBe(key);
  });

  it.each([
    ['its private half is damaged', (place: string) => writeFileSync(join(place, 'key'), 'x')],
    ['its private half is gone', (place: string) => rmSync(join(place, 'key'))],
    [
      'its halves do not fit',
      (place: string) => cpSync(join(ssh(), 'homeport', other, 'key'), join(place, 'key')),
    ],
    [
      'its private half is a link',
      (place: string) => {
        rmSync(join(place, 'key'));
        symlinkSync(join(ssh(), 'homeport', other, 'key'), join(place, 'key'));
      },
    ],
    ['its repository is not told', (place: string) => rmSync(join(place, 'repository'))],
  ] as const)('is made anew when %s', (_what, spoil) => {
    publicKeyOf(other);
    const key = publicKeyOf(app);
    spoil(join(ssh(), 'homeport', app));
    const anew = publicKeyOf(app);
    expect(anew).not.toBe(key);
    expect(publicKeyOf(app)).toBe(anew);
  });

  it('is another one for another repository, and the old one goes', () => {
    const key = publicKeyOf(app);
    expect(publicKeyOf(app, onGitHost('octo/renamed'))).not.toBe(key);
    expect(readdirSync(join(ssh(), 'homeport', app)).toSorted()).toEqual([
      'config',
      'key',
      'key.pub',
      'known_hosts',
      'repository',
    ]);
  });
});

describe('ssh’s settings', () => {
  const theirs = 'Host build\n  User ci\n# the end, without a line end';

  it('begin with the line that names the keys, and keep every other line and the file’s mode', () => {
    mkdirSync(ssh(), { recursive: true });
    writeFileSync(settings(), theirs, { mode: 0o640 });
    write(app);
    const [note, line, ...rest] = readFileSync(settings(), 'utf8').split('\n');
    expect(note).toMatch(/^# Homeport: /);
    expect(line).toBe(`Include ${ssh()}/homeport/*/config`);
    expect(rest.join('\n').trimEnd()).toBe(theirs);
    expect(modeOf(settings())).toBe('640');
  });

  it('are the same file as before when the last key goes, and gone where there was none', () => {
    mkdirSync(ssh(), { recursive: true });
    writeFileSync(settings(), `${theirs}\n`);
    write(app);
    write(other);
    expect(remove(app)).toBe(true);
    expect(readFileSync(settings(), 'utf8')).toContain('homeport');
    expect(remove(other)).toBe(true);
    expect(readFileSync(settings(), 'utf8')).toBe(`${theirs}\n`);
    expect(remove(other)).toBe(false);
    rmSync(settings());
    write(app);
    remove(app);
    expect(existsSync(settings())).toBe(false);
  });

  it('have the line once and at the top again where somebody moved it', () => {
    write(app);
    const [note, line] = readFileSync(settings(), 'utf8').split('\n');
    writeFileSync(settings(), `${theirs}\n${note}\n${line}\n`);
    write(other);
    expect(readFileSync(settings(), 'utf8')).toBe(`${note}\n${line}\n${theirs}\n`);
  });

  it('pin the host, whatever somebody else’s settings say', () => {
    mkdirSync(ssh(), { recursive: true });
    const weak = 'Host *\n  StrictHostKeyChecking no\n  HostName evil.example\n  IdentityFile /tmp/theirs\n';
    writeFileSync(settings(), weak);
    write(app);
    const told = execFileSync('ssh', ['-F', settings(), '-G', dokku.git.hostAlias(app)], {
      encoding: 'utf8',
    });
    const lines = told.split('\n');
    for (const line of [
      'hostname 127.0.0.1',
      `port ${gitHost.port}`,
      'stricthostkeychecking true',
      'identitiesonly yes',
      'batchmode yes',
      'updatehostkeys false',
      'hostkeyalias homeport-git-host',
      `userknownhostsfile ${ssh()}/homeport/${app}/known_hosts`,
      'globalknownhostsfile /dev/null',
    ])
      expect(lines).toContain(line);
    expect(lines.find((line) => line.startsWith('identityfile'))).toBe(
      `identityfile ${ssh()}/homeport/${app}/key`,
    );
  });

  it('hold two keys after two commands at once, each whole', async () => {
    const names = [app, other];
    const all = await Promise.all(
      [...names, ...names, ...names].map((name) => runBeside(dokku.deployKeys.write(name, onGitHost()))),
    );
    expect(all.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0, 0, 0]);
    for (const name of names)
      expect(publicKeyOf(name)).toBe(publicKeyIn(join(ssh(), 'homeport', name, 'key.pub')));
    expect(readFileSync(settings(), 'utf8').match(/^Include/gm)).toHaveLength(1);
    expect(readdirSync(join(ssh(), 'homeport')).toSorted()).toEqual(['.lock', app, other]);
  });

  it('stay as they are where they are a link, and the reader knows why', () => {
    mkdirSync(ssh(), { recursive: true });
    writeFileSync(join(folder, 'elsewhere'), 'Host a\n');
    symlinkSync(join(folder, 'elsewhere'), settings());
    expect(dokku.failureOf(write(app))).toEqual({
      code: 'ssh_settings_closed',
      text: `${settings()} is a link, and Homeport does not change it`,
    });
    expect(readFileSync(join(folder, 'elsewhere'), 'utf8')).toBe('Host a\n');
  });
});

describe('what is no host, no repository and no app', () => {
  const lines = (changes: Record<string, string>) =>
    Object.entries({
      host: 'github.com',
      port: '22',
      user: 'git',
      repository: 'octo/site',
      host_key: hostKey,
      ...changes,
    })
      .map(([field, value]) => `${field} ${value}\n`)
      .join('');
  it.each([
    { host: '-oProxyCommand=id' },
    { host: '*' },
    { host: 'github.com\n  ProxyCommand id' },
    { host: '%h' },
    { host: 'a b' },
    { host: `${'a'.repeat(300)}.example` },
    { port: '22 x' },
    { port: '-1' },
    { user: '-x' },
    { user: '$(id)' },
    { repository: '../../etc' },
    { repository: 'octo/site\nHost *' },
    { repository: 'octo' },
    { repository: "octo/'; id" },
    { host_key: 'ssh-ed25519' },
    { host_key: 'ssh-dss AAAAB3NzaC1kc3MAAACBAAAAB3NzaC1kc3MAAACBAAAAB3NzaC1kc3M' },
    { host_key: '@cert-authority * ssh-ed25519 AAAA' },
    { ProxyCommand: 'id' },
  ])('is refused, and nothing is written: %j', (changes) => {
    const outcome = runWords(['homeport:deploy-key-write', app], lines(changes));
    expect(outcome).toMatchObject({ exitCode: 1, stdout: '' });
    expect(existsSync(settings())).toBe(false);
  });

  it('is refused when it is longer than any host key', () => {
    const outcome = runWords(['homeport:deploy-key-write', app], lines({ host_key: 'A'.repeat(5_000) }));
    expect(outcome).toMatchObject({ exitCode: 1, stdout: '' });
  });

  it.each(['../../x', 'a b', '-x', '*', 'x/y', '', '.', '..'])(
    'is refused as the name of an app: %j',
    (name) => {
      write(app);
      for (const command of ['homeport:deploy-key-write', 'homeport:deploy-key-delete'])
        expect(runWords([command, name], lines({})).exitCode).not.toBe(0);
      expect(readdirSync(join(ssh(), 'homeport'))).toContain(app);
    },
  );

  it('does not reach the server from a name with a line end', () => {
    expect(() => dokku.deployKeys.write(app, onGitHost('octo/site\nhost evil'))).toThrow(RangeError);
    expect(() => dokku.git.keyedRemote(app, 'octo/site --upload-pack=id')).toThrow();
    expect(() => dokku.git.keyedRemote(app, '-x/site')).toThrow();
  });
});

describe('a deploy with the key', () => {
  let head: string;
  beforeAll(() => {
    const site = join(folder, 'octo/site.git');
    mkdirSync(site, { recursive: true });
    writeFileSync(join(site, 'index.html'), 'private');
    const git = (...words: string[]) =>
      execFileSync('git', [
        '-C',
        site,
        '-c',
        'user.name=a',
        '-c',
        'user.email=a@example.com',
        ...words,
      ]).toString();
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-q', '-m', 'first');
    head = git('rev-parse', 'HEAD').trim();
  });

  const repository = 'octo/site';
  /** Lets one key read the repository, or none. */
  const accept = (key: string | null) => {
    const line = `restrict,command="cd ${folder} && eval exec $SSH_ORIGINAL_COMMAND" ${key}\n`;
    writeFileSync(join(folder, 'git-host/authorized_keys'), key === null ? '' : line, { mode: 0o600 });
  };
  const sync = (name: dokku.AppName) =>
    run(
      dokku.git.syncAndBuild(
        name,
        dokku.git.keyedRemote(name, repository),
        dokku.git.branchSchema.parse(head),
      ),
    );

  it('fetches from a host that accepts it and builds the commit, whose name the app then has', () => {
    accept(publicKeyOf(app, onGitHost(repository)));
    const { exitCode, stdout } = sync(app);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('=====> Application deployed:');
    expect(run(dokku.config.exportAll(app)).stdout).toContain(head);
    expect(run(dokku.apps.report(app)).stdout).toContain(`homeport-github-ledger:${repository}.git#${head}`);
  }, 60_000);

  it('is refused by a host that does not have the key, and the reader knows why', () => {
    publicKeyOf(app, onGitHost(repository));
    accept(null);
    const outcome = sync(app);
    expect(outcome.exitCode).toBe(128);
    expect(dokku.failureOf(outcome)).toEqual({ code: 'git_key_refused' });
  }, 60_000);

  it('does not begin with a host that has another key than the pinned one', () => {
    const strange = publicKeyIn(`${gitHost.gitKey}.pub`);
    accept(publicKeyOf(app, onGitHost(repository, [strange])));
    const outcome = sync(app);
    expect(outcome.exitCode).toBe(128);
    expect(dokku.failureOf(outcome)).toEqual({ code: 'git_host_unproven' });
  }, 60_000);

  it('does not reach a host that is not there', () => {
    publicKeyOf(app, { ...onGitHost(repository), port: 1 });
    expect(dokku.failureOf(sync(app))).toEqual({ code: 'git_host_unreachable' });
  }, 60_000);

  it('is no way for another app: its submodule names the host in vain', () => {
    accept(publicKeyOf(app, onGitHost(repository)));
    const work = mkdtempSync(join(folder, 'push-'));
    const env = { ...process.env, GIT_SSH_COMMAND: `ssh -F ${settings()}`, GIT_TERMINAL_PROMPT: '0' };
    const address = dokku.git.keyedRemote(app, repository);
    const git = (...words: string[]) =>
      spawnSync('git', ['-C', work, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
        env,
        encoding: 'utf8',
      });
    expect(git('ls-remote', address).status).toBe(0);
    git('init', '-q', '-b', 'main');
    writeFileSync(join(work, '.gitmodules'), `[submodule "s"]\n\tpath = s\n\turl = ${address}\n`);
    git('add', '.gitmodules');
    git('update-index', '--add', '--cacheinfo', `160000,${head},s`);
    expect(git('commit', '-q', '-m', 'x').status).toBe(0);
    git('submodule', 'sync', '--recursive');
    const updated = git('submodule', 'update', '--init', '--recursive');
    expect(updated.status).not.toBe(0);
    expect(updated.stderr).toContain('Could not resolve hostname');
  }, 60_000);
});
