import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argvFor, type Command } from '@homeport/dokku';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type AccountPlaces,
  closeConsoleAccount,
  makeConsoleAccount,
  notPossible,
  removeConsoleAccount,
  renewConsoleAccount,
} from './console-account.ts';

/** Runs the real programs as root, on the test's own account and folder. */
const mayRun = process.getuid?.() === 0 && existsSync('/usr/sbin/visudo');
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8o9lD0nQ8UeU3V6o4p1k1sX5vQ0o8G5m1cJ2f8a7bC';

let scratch: string;
let at: AccountPlaces;
let victim: string;

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'homeport-links-'));
  chmodSync(scratch, 0o755);
  at = {
    user: `hplink${process.pid}`,
    home: join(scratch, 'lib/homeport-account'),
    sudoers: join(scratch, 'sudoers.d'),
    formerHome: join(scratch, 'lib/homeport'),
  };
  mkdirSync(join(scratch, 'lib'));
  mkdirSync(at.sudoers);
  victim = join(scratch, 'victim');
  mkdirSync(victim, { mode: 0o700 });
  for (const name of ['authorized_keys', 'authorized_keys.new', 'shadow'])
    writeFileSync(join(victim, name), `${name} of root\n`, { mode: 0o600 });
});
afterEach(() => {
  spawnSync('userdel', [at.user]);
  spawnSync('groupdel', [at.user]);
  rmSync(scratch, { recursive: true, force: true });
});

function runAsRoot(command: Command) {
  const [program = '', ...words] = argvFor({ kind: 'root' }, command);
  return spawnSync(program, words, { input: command.stdin ?? '', encoding: 'utf8' });
}

function asTheAccount(script: string) {
  return spawnSync('setpriv', ['--reuid', at.user, '--regid', at.user, '--clear-groups', 'sh', '-c', script]);
}

/** A home as earlier consoles made it, owned by the account, with the links that the account then planted. */
function plant(script: string, home = at.home): void {
  execFileSync('useradd', ['--system', '--user-group', '--no-create-home', '--home-dir', home, at.user]);
  execFileSync('install', ['-d', '-m', '0700', '-o', at.user, '-g', at.user, home]);
  expect(asTheAccount(`cd ${home} && ${script}`).status).toBe(0);
}

const untouched = () =>
  readdirSync(victim).map((name) => {
    const { uid, gid, mode } = statSync(join(victim, name));
    return [name, uid, gid, mode & 0o777, readFileSync(join(victim, name), 'utf8')];
  });

describe.skipIf(!mayRun)('with a link that the account planted', () => {
  test.each([
    ['in the place of .ssh', () => `ln -s ${victim} .ssh`],
    [
      'in the place of the new key file',
      () => `mkdir .ssh && ln -s ${victim}/shadow .ssh/authorized_keys.new`,
    ],
    ['in the place of the key file', () => `mkdir .ssh && ln -s ${victim}/shadow .ssh/authorized_keys`],
    ['to a folder in the place of the key file', () => `mkdir .ssh && ln -s ${victim} .ssh/authorized_keys`],
  ])('%s, root writes, gives away and removes nothing behind the link', (_place, script) => {
    plant(script());
    const before = [...untouched(), statSync(victim)];
    const sameAsBefore = () => expect([...untouched(), statSync(victim)]).toEqual(before);

    expect(runAsRoot(makeConsoleAccount(key, at)).status).toBe(0);
    sameAsBefore();
    expect(readFileSync(join(at.home, '.ssh/authorized_keys'), 'utf8')).toBe(`restrict,pty ${key}\n`);
    for (const path of [at.home, join(at.home, '.ssh'), join(at.home, '.ssh/authorized_keys')]) {
      const { uid, mode } = lstatSync(path);
      expect({ path, uid, open: mode & 0o022 }).toEqual({ path, uid: 0, open: 0 });
    }

    rmSync(join(at.home, '.ssh'), { recursive: true });
    execFileSync('chown', [at.user, at.home]);
    expect(asTheAccount(`cd ${at.home} && ${script()}`).status).toBe(0);
    expect(runAsRoot(closeConsoleAccount(at)).status).toBe(0);
    sameAsBefore();
    expect(runAsRoot(removeConsoleAccount(at)).status).toBe(0);
    sameAsBefore();
    expect(existsSync(at.home)).toBe(false);
  });

  test('the account cannot plant another link once root has made its home', () => {
    expect(runAsRoot(makeConsoleAccount(key, at)).status).toBe(0);
    for (const script of [
      `ln -s ${victim} ${at.home}/more`,
      `mv ${at.home}/.ssh ${at.home}/old`,
      `rm ${at.home}/.ssh/authorized_keys`,
      `echo >> ${at.home}/.ssh/authorized_keys`,
      `chmod 777 ${at.home}`,
    ])
      expect(asTheAccount(script).status, script).not.toBe(0);
    expect(runAsRoot(makeConsoleAccount(key, at)).status).toBe(0);
  });
});

describe.skipIf(!mayRun)('an account that an earlier console made without a terminal', () => {
  const lineOf = () => readFileSync(join(at.home, '.ssh/authorized_keys'), 'utf8');
  const ruleOf = () => readFileSync(join(at.sudoers, 'homeport'), 'utf8');
  beforeEach(() => {
    expect(runAsRoot(makeConsoleAccount(key, at)).status).toBe(0);
    writeFileSync(join(at.home, '.ssh/authorized_keys'), `restrict ${key}\n`);
    writeFileSync(join(at.sudoers, 'homeport'), `${at.user} ALL=(dokku) NOPASSWD:SETENV: /usr/bin/dokku\n`);
  });

  test('gets the terminal and the right to end dokku’s commands, once, and keeps its key', () => {
    expect(runAsRoot(renewConsoleAccount(at))).toMatchObject({ status: 0, stdout: 'renewed\n' });
    expect(lineOf()).toBe(`restrict,pty ${key}\n`);
    expect(ruleOf()).toBe(
      `${at.user} ALL=(dokku) NOPASSWD: /usr/bin/dokku\n${at.user} ALL=(dokku) NOPASSWD: /bin/kill, /usr/bin/kill\n`,
    );
    expect(runAsRoot(renewConsoleAccount(at))).toMatchObject({ status: 0, stdout: '' });
  });

  test('loses the right to hand variables to dokku also where it has its terminal already', () => {
    writeFileSync(join(at.home, '.ssh/authorized_keys'), `restrict,pty ${key}\n`);
    expect(runAsRoot(renewConsoleAccount(at))).toMatchObject({ status: 0, stdout: 'renewed\n' });
    expect(lineOf()).toBe(`restrict,pty ${key}\n`);
    expect(ruleOf()).not.toContain('SETENV');
    expect(runAsRoot(renewConsoleAccount(at))).toMatchObject({ status: 0, stdout: '' });
  });

  test('keeps a line that a person wrote', () => {
    runAsRoot(renewConsoleAccount(at));
    for (const line of [`restrict,from="192.0.2.1" ${key}\n`, `no-pty ${key}\n`, `${key}\n`]) {
      writeFileSync(join(at.home, '.ssh/authorized_keys'), line);
      expect(runAsRoot(renewConsoleAccount(at))).toMatchObject({ status: 0, stdout: '' });
      expect(lineOf()).toBe(line);
    }
  });

  test('gets nothing back that was taken away', () => {
    expect(runAsRoot(closeConsoleAccount(at)).status).toBe(0);
    expect(runAsRoot(renewConsoleAccount(at))).toMatchObject({ status: 0, stdout: '' });
    expect(existsSync(join(at.home, '.ssh'))).toBe(false);
    expect(readdirSync(at.sudoers)).toEqual([]);
  });
});

describe.skipIf(!mayRun)('with a link in a folder that root owns', () => {
  test('in the place of the key file, root replaces the link and writes nothing behind it', () => {
    mkdirSync(join(at.home, '.ssh'), { recursive: true });
    symlinkSync(victim, join(at.home, '.ssh/authorized_keys'));
    const before = untouched();
    expect(runAsRoot(makeConsoleAccount(key, at)).status).toBe(0);
    expect(untouched()).toEqual(before);
    expect(readFileSync(join(at.home, '.ssh/authorized_keys'), 'utf8')).toBe(`restrict,pty ${key}\n`);
  });

  test('in the place of the home, root stops and says so', () => {
    symlinkSync(victim, at.home);
    const before = [...untouched(), statSync(victim).mode];
    const made = runAsRoot(makeConsoleAccount(key, at));
    expect(made).toMatchObject({ status: 1, stderr: expect.stringContaining('is a link') });
    expect([...untouched(), statSync(victim).mode]).toEqual(before);
  });
});

describe.skipIf(!mayRun)('an account that an earlier console made, with a home of its own', () => {
  beforeEach(() => plant('mkdir .ssh && echo old >.ssh/authorized_keys', at.formerHome));

  test('gets a home that root owns instead', () => {
    expect(runAsRoot(makeConsoleAccount(key, at)).status).toBe(0);
    expect(execFileSync('getent', ['passwd', at.user], { encoding: 'utf8' })).toContain(`:${at.home}:`);
    expect(existsSync(at.formerHome)).toBe(false);
  });

  test('is removed with that home', () => {
    expect(runAsRoot(removeConsoleAccount(at)).status).toBe(0);
    expect([spawnSync('id', ['-u', at.user]).status, existsSync(at.formerHome)]).toEqual([1, false]);
  });

  test('is left alone when a console keeps its data in that home', () => {
    writeFileSync(join(at.formerHome, 'secret'), 'kept');
    expect(runAsRoot(makeConsoleAccount(key, at)).status).toBe(notPossible);
    expect(runAsRoot(removeConsoleAccount(at)).status).toBe(0);
    expect(readFileSync(join(at.formerHome, 'secret'), 'utf8')).toBe('kept');
    expect(spawnSync('id', ['-u', at.user]).status).toBe(0);
  });
});

describe.skipIf(!mayRun)('a sudo rule of the same name that is somebody else’s', () => {
  test('stays, and the account is not made', () => {
    const theirs = '%ops ALL=(dokku) NOPASSWD: /usr/bin/dokku\n';
    writeFileSync(join(at.sudoers, 'homeport'), theirs);
    expect(runAsRoot(makeConsoleAccount(key, at))).toMatchObject({
      status: notPossible,
      stderr: expect.stringContaining('is not this console'),
    });
    expect(spawnSync('id', ['-u', at.user]).status).toBe(1);
    expect(runAsRoot(removeConsoleAccount(at)).status).toBe(0);
    expect(readFileSync(join(at.sudoers, 'homeport'), 'utf8')).toBe(theirs);
  });
});

describe.skipIf(!mayRun)('an account of the same name that is somebody else’s', () => {
  beforeEach(() => {
    const theirs = join(scratch, 'theirs');
    mkdirSync(theirs);
    writeFileSync(join(theirs, 'data'), 'kept');
    execFileSync('useradd', ['--system', '--user-group', '--home-dir', theirs, at.user]);
  });

  test('is not taken over', () => {
    const made = runAsRoot(makeConsoleAccount(key, at));
    expect(made).toMatchObject({ status: notPossible, stderr: expect.stringContaining('not this console') });
    expect(execFileSync('getent', ['passwd', at.user], { encoding: 'utf8' })).toContain('/theirs:');
    expect(readdirSync(at.sudoers)).toEqual([]);
  });

  test('is not removed, and neither are its processes and files', () => {
    expect(runAsRoot(removeConsoleAccount(at))).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('stays'),
    });
    expect(spawnSync('id', ['-u', at.user]).status).toBe(0);
    expect(readFileSync(join(scratch, 'theirs/data'), 'utf8')).toBe('kept');
  });
});
