import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { installCommand, type RemoteProgram, uninstallCommand } from './install-command.ts';
import { startReceiver } from './receiver.testing.ts';

// The machine may be busy, and each test waits for other programs.
vi.setConfig({ testTimeout: 60_000 });

const run = promisify(execFile);
const token = 'canary_0123456789abcdefABCDEF';
/** The test makes and removes this account. */
const account = `hpagent${process.pid}`;
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'homeport-root-'));
  await run('chmod', ['755', root]);
});
afterEach(async () => {
  await execute(uninstallCommand({ user: account, removeUser: true, root }));
  await rm(root, { recursive: true });
});

/** Runs a program as the remote side would, with its words and its standard input. */
async function execute(
  { argv: [file = '', ...args], stdin }: RemoteProgram,
  as: { uid?: number; gid?: number } = {},
) {
  const child = spawn(file, args, { ...as, cwd: root });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  child.stdin.on('error', () => undefined).end(stdin);
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, output };
}

const install = (url: string, scheduler: 'systemd' | 'cron' | 'none') =>
  execute(
    installCommand(token, {
      url,
      user: account,
      scheduler,
      root,
      pings: { eu: 'none', us: 'none', asia: 'none' },
    }),
  );
const filesLeft = async () =>
  (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());

test('the installed agent reports as the unprivileged account, which alone can read the token', async () => {
  await using hub = await startReceiver(() => ({ status: 200 }));
  expect(await install(hub.url, 'none')).toMatchObject({ code: 0 });
  const uid = Number((await run('id', ['-u', account])).stdout);
  expect(await stat(join(root, 'etc/homeport-agent/token'))).toMatchObject({ uid, mode: 0o100600 });
  const agent = join(root, 'usr/local/lib/homeport-agent/homeport-agent');
  await run('setpriv', [
    `--reuid=${uid}`,
    `--regid=${uid}`,
    '--clear-groups',
    agent,
    '--config',
    join(root, 'etc/homeport-agent/agent.conf'),
  ]);
  expect(hub.posts[0]?.headers.authorization).toBe(`Bearer ${token}`);
});

test('a user who is not root can install, report and uninstall beneath an own folder', async () => {
  const uid = 64_000;
  const own = join(root, 'own');
  await run('install', ['--directory', '--owner', String(uid), own]);
  await run('useradd', ['--no-create-home', '--user-group', '--uid', String(uid), account]);
  const as = { uid, gid: Number((await run('id', ['-g', account])).stdout) };
  await using hub = await startReceiver(() => ({ status: 200 }));
  const words = { url: hub.url, scheduler: 'cron', pings: { eu: 'none', us: 'none', asia: 'none' } } as const;
  // The installer does not make the named account, which need not exist.
  const cgroupRoot = join(own, 'c groups');
  const dmiRoot = join(own, 'names');
  const command = installCommand(token, { ...words, user: 'hpnobody', root: own, cgroupRoot, dmiRoot });
  expect(await execute(command, as)).toMatchObject({
    code: 0,
    output: expect.stringContaining(account),
  });
  await expect(run('id', ['-u', 'hpnobody'])).rejects.toThrow();
  expect(await stat(join(own, 'etc/homeport-agent/token'))).toMatchObject({ uid, mode: 0o100600 });

  const container = 'c'.repeat(64);
  const scope = join(cgroupRoot, `docker/${container}`);
  await mkdir(scope, { recursive: true });
  await writeFile(join(scope, 'cpu.stat'), 'usage_usec 77\n');
  await mkdir(dmiRoot);
  await writeFile(join(dmiRoot, 'sys_vendor'), 'Hetzner\n');
  await run('chmod', ['-R', 'a+rX', cgroupRoot, dmiRoot]);
  const agent = join(own, 'usr/local/lib/homeport-agent/homeport-agent');
  const config = join(own, 'etc/homeport-agent/agent.conf');
  await execute({ argv: [agent, '--config', config], stdin: '' }, as);
  expect(hub.posts[0]?.reports[0]).toMatchObject({
    apps: [{ id: container, cpu_usec: 77 }],
    machine: { sys_vendor: 'Hetzner' },
  });

  const uninstall = uninstallCommand({ user: account, removeUser: false, root: own });
  expect(await execute(uninstall, as)).toMatchObject({ code: 0 });
  expect(
    (await filesLeft()).filter(
      (entry) => ![cgroupRoot, dmiRoot].some((folder) => entry.parentPath.startsWith(folder)),
    ),
  ).toEqual([]);
  const elsewhere = installCommand(token, words);
  expect(await execute(elsewhere, as)).toMatchObject({
    code: 1,
    output: expect.stringContaining('root'),
  });
});

test.each(['relative', '/a\nurl=http://elsewhere'])('refuses the cgroup folder %j', async (cgroupRoot) => {
  const command = installCommand(token, {
    url: 'https://h',
    user: account,
    scheduler: 'none',
    root,
    cgroupRoot,
  });
  expect(await execute(command)).toMatchObject({ code: 1, output: expect.stringContaining('--cgroup-root') });
  expect(await filesLeft()).toEqual([]);
});

test('a second installation works and takes the new token', async () => {
  await using hub = await startReceiver(() => ({ status: 200 }));
  await install(hub.url, 'none');
  const again = installCommand('another_0123456789abcdef', {
    url: hub.url,
    user: account,
    scheduler: 'none',
    root,
  });
  expect(await execute(again)).toMatchObject({ code: 0 });
  expect(await readFile(join(root, 'etc/homeport-agent/token'), 'utf8')).toBe('another_0123456789abcdef\n');
});

test('the timer and the cron line fire every three minutes at the second that the token gives', async () => {
  await install('https://console.example', 'systemd');
  const timer = await readFile(join(root, 'etc/systemd/system/homeport-agent.timer'), 'utf8');
  expect(timer).toMatch(/^OnCalendar=\*:[0-2]\/3:[0-5]\d$/m);
  const { stdout } = await run('bash', ['-c', 'printf %s "$1" | cksum', 'x', token]);
  const second = Number(stdout.split(' ')[0]) % 180;
  expect(timer).toContain(`*:${Math.floor(second / 60)}/3:${String(second % 60).padStart(2, '0')}`);
  await install('https://console.example', 'cron');
  const cron = await readFile(join(root, 'etc/cron.d/homeport-agent'), 'utf8');
  expect(cron).toContain(`${Math.floor(second / 60)}-59/3 * * * * ${account} sleep ${second % 60};`);
  expect(cron + timer).not.toContain(token);
});

test('the timer reports at once, and 15 seconds later a second time', async () => {
  await install('https://console.example', 'systemd');
  const timer = await readFile(join(root, 'etc/systemd/system/homeport-agent.timer'), 'utf8');
  expect(timer.match(/^OnActiveSec=.*$/gm)).toEqual(['OnActiveSec=1', 'OnActiveSec=16']);
});

test('where cron starts the agent, the installer sends the first two reports as the account', async () => {
  await using hub = await startReceiver(() => ({ status: 200 }));
  const bin = join(root, 'bin');
  const notes = join(root, 'sleeps');
  await mkdir(bin);
  await writeFile(notes, '', { mode: 0o666 });
  await run('chmod', ['666', notes]);
  await writeFile(join(bin, 'sleep'), `#!/bin/sh\necho "$1 $(id -un)" >>'${notes}'\n`, { mode: 0o755 });
  const pings = { eu: 'none', us: 'none', asia: 'none' };
  const { argv, stdin } = installCommand(token, { url: hub.url, user: account, scheduler: 'cron', pings });
  // A mount namespace of its own, with a copy of /etc: the installation changes nothing outside.
  const apart = `set -e; cp -a /etc "$1/etc"; mount --bind "$1/etc" /etc; mount -t tmpfs tmpfs /usr/local/lib
    mount -t tmpfs tmpfs /var/lib; mkdir -p /etc/cron.d; export PATH="$1/bin:$PATH"; shift; exec "$@"`;
  expect(
    await execute({ argv: ['unshare', '--mount', 'bash', '-c', apart, 'apart', root, ...argv], stdin }),
  ).toMatchObject({ code: 0, output: expect.stringContaining('schedule cron') });
  await expect.poll(() => hub.posts.length, { timeout: 20_000 }).toBe(2);
  expect(await readFile(notes, 'utf8')).toBe(`15 ${account}\n`);
  await expect(stat('/etc/cron.d/homeport-agent')).rejects.toThrow();
});

test('uninstalling leaves nothing, and removes the account only on request', async () => {
  for (const scheduler of ['systemd', 'cron'] as const) await install('https://console.example', scheduler);
  expect(await filesLeft()).not.toEqual([]);
  expect(await execute(uninstallCommand({ user: account, removeUser: false, root }))).toMatchObject({
    code: 0,
  });
  expect(await filesLeft()).toEqual([]);
  await run('id', ['-u', account]);
  await execute(uninstallCommand({ user: account, removeUser: true, root }));
  await expect(run('id', ['-u', account])).rejects.toThrow();
  expect(await execute(uninstallCommand({ user: account, removeUser: true, root }))).toMatchObject({
    code: 0,
  });
});

test.each(['$(touch x)', "a'; rm -rf /", 'https://h/"\nheader = "x', 'ftp://host'])(
  'refuses the URL %j and writes nothing',
  async (url) => {
    expect(await install(url, 'none')).toMatchObject({ code: 1, output: expect.stringContaining('--url') });
    expect(await filesLeft()).toEqual([]);
  },
);

test('does not put a truncated agent in place', async () => {
  const { argv, stdin } = installCommand(token, {
    url: 'https://console.example',
    user: account,
    scheduler: 'none',
    root,
  });
  const result = await execute({ argv, stdin: stdin.slice(0, stdin.length / 2) });
  expect(result).toMatchObject({ code: 1, output: expect.stringContaining('whole') });
  expect((await filesLeft()).map((entry) => entry.name)).not.toContain('homeport-agent');
});
