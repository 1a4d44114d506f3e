import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { recorded } from '../../testing/transcript.ts';
import type { Command, Outcome } from '../command.ts';
import { domainName } from '../names/domain-name.ts';
import { argvFor } from '../ways.ts';
import * as bootstrap from './bootstrap.ts';
import * as detached from './detached.ts';
import * as firewall from './firewall.ts';
import * as probe from './probe.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function run(command: Command): Outcome {
  const [file = '', ...words] = argvFor({ kind: 'root' }, command);
  const done = spawnSync(file, words, { input: command.stdin ?? '', encoding: 'utf8', timeout: 20_000 });
  return { exitCode: done.status, stdout: done.stdout, stderr: done.stderr };
}

describe('the installer', () => {
  test('downloads and runs the official way', () => {
    expect(argvFor({ kind: 'sudo', user: 'ops' }, bootstrap.fetchInstaller('/root/b.sh')).join(' ')).toBe(
      'env LC_ALL=C sudo -n wget -qO /root/b.sh https://dokku.com/install/v0.38.27/bootstrap.sh',
    );
    expect(
      argvFor(
        { kind: 'root' },
        bootstrap.runInstaller('/root/b.sh', domainName('s1.example.com'), { isGlobal: true }),
      ).join(' '),
    ).toBe(
      'env LC_ALL=C env DOKKU_TAG=v0.38.27 DOKKU_VHOST_ENABLE=true DOKKU_HOSTNAME=s1.example.com DOKKU_SKIP_KEY_FILE=true bash /root/b.sh',
    );
  });

  test('reports its progress on either stream', () => {
    expect(bootstrap.readProgress('')).toBeNull();
    expect(bootstrap.readProgress('Preparing to install v0.38.27 from …\n--> Installing docker\n')).toBe(
      'docker',
    );
    expect(bootstrap.readProgress('--> Installing dokku\nSetting up dokku user\n')).toBe('core_plugins');
  });
});

describe('detached work', () => {
  test('is absent, then running or ended, with its log from any byte on', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'detached-')), 'run');
    folders.push(join(folder, '..'));
    const state = (from: number) => detached.readDetachedState(run(detached.readDetached(folder, from)));
    expect(state(0)).toEqual({ kind: 'absent' });
    expect(
      run(detached.startDetached(folder, ['sh', '-c', 'echo one; echo "$1" >&2; exit 3', 'x', "it's $HOME"]))
        .exitCode,
    ).toBe(0);
    await expect
      .poll(() => state(0), { timeout: 10_000 })
      .toEqual({ kind: 'ended', exitCode: 3, log: "one\nit's $HOME\n" });
    expect(state(4)).toMatchObject({ log: "it's $HOME\n" });
  });
});

describe.skipIf(process.getuid?.() !== 0)(
  'detached work does not start in a folder that another account made first',
  () => {
    test.each([
      ['as its own', (folder: string) => `mkdir ${folder}`],
      ['as a link to a folder of root’s', (folder: string) => `ln -s /root ${folder}`],
    ])('%s', (_how, script) => {
      const open = mkdtempSync(join(tmpdir(), 'detached-'));
      folders.push(open);
      chmodSync(open, 0o1777);
      const folder = join(open, 'run');
      expect(
        spawnSync('setpriv', ['--reuid=64001', '--clear-groups', 'sh', '-c', script(folder)]).status,
      ).toBe(0);
      const begun = run(detached.startDetached(folder, ['touch', join(open, 'ran')]));
      expect(begun).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('another account') });
      expect(existsSync(join(open, 'ran'))).toBe(false);
    });
  },
);

describe('the probe', () => {
  test('reads this machine with the real program', () => {
    const found = probe.readProbe(run(probe.probe()));
    expect(found.cpus).toBeGreaterThan(0);
    expect(found.memoryBytes).toBeGreaterThan(100_000_000);
    expect(found.diskFreeBytes).toBeGreaterThan(0);
    expect(found.architecture).toMatch(/\w/);
  });

  test('a version is read from the real answer', () => {
    expect(probe.readVersion(recorded('probe', 'version'))).toBe('0.38.27');
    expect(probe.readVersion({ exitCode: 127, stdout: '', stderr: 'dokku: command not found' })).toBeNull();
  });
});

describe('the firewall', () => {
  test('rows, comments and both families are read', () => {
    const stdout =
      'Status: active\n\nTo                         Action      From\n--                         ------      ----\n' +
      '22/tcp                     LIMIT       Anywhere                  \n80,443/tcp                 ALLOW       Anywhere                   # web\n' +
      '22/tcp (v6)                LIMIT       Anywhere (v6)             \n';
    expect(firewall.readStatus({ exitCode: 0, stdout, stderr: '' })).toMatchObject({
      kind: 'active',
      rules: [
        { to: '22/tcp', action: 'LIMIT', from: 'Anywhere', comment: '' },
        { to: '80,443/tcp', action: 'ALLOW', from: 'Anywhere', comment: 'web' },
        { to: '22/tcp (v6)', action: 'LIMIT', from: 'Anywhere (v6)', comment: '' },
      ],
    });
  });

  test.each([
    ['letters and spaces', (length: number) => 'a  A '.repeat(length / 5)],
    [
      // A pattern’s dot takes no line separator, so an end such as `(.*)$` is tried at every place.
      'two wide columns that end in a line separator',
      (length: number) => `a${' '.repeat(length / 2)}A${' '.repeat(length / 2)}\u2028`,
    ],
  ])('a line of %s is read in linear time', (_name, line) => {
    const used = (length: number) => {
      const stdout = `Status: active\n${line(length)}`;
      const before = process.cpuUsage().user;
      firewall.readStatus({ exitCode: 0, stdout, stderr: '' });
      return process.cpuUsage().user - before;
    };
    // An earlier version took 21 seconds for 822 characters.
    expect(used(820)).toBeLessThan(500_000);
    expect(used(1_000_000)).toBeLessThan(500_000);
  });

  test.each([
    [recorded('stats', 'ufw status, inactive'), 'inactive'],
    [{ exitCode: 1, stdout: '', stderr: 'ERROR: You need to be root to run this script\n' }, 'no_permission'],
    [{ exitCode: 1, stdout: '', stderr: 'sudo: a password is required\n' }, 'no_permission'],
    [{ exitCode: 127, stdout: '', stderr: 'bash: ufw: command not found\n' }, 'not_installed'],
    [{ exitCode: 1, stdout: '', stderr: 'sudo: ufw: command not found\n' }, 'not_installed'],
    [{ exitCode: 1, stdout: '', stderr: 'ERROR: problem running iptables: x\n' }, 'failed'],
  ])('reads %o as %s', (outcome, kind) => {
    expect(firewall.readStatus(outcome).kind).toBe(kind);
  });
});
