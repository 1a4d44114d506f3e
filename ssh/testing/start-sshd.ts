import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { urlHost } from '@homeport/contract/fields/server-address';
import { freePort } from '@homeport/contract/testing';
import { fingerprintOf } from '../src/index.ts';
import { requireOpenSsh, sshdPath } from './require-openssh.ts';
import type { TestKeyType } from './test-keys.ts';

export type SshdOptions = {
  /** Lines for authorized_keys. */
  authorizedKeys?: readonly string[];
  hostKeyTypes?: readonly TestKeyType[];
  /** Default: a free one. */
  port?: number;
  /** Default: 127.0.0.1. */
  address?: '127.0.0.1' | '::1';
  /** Further sshd_config(5) lines. They come first, so they win. */
  config?: Readonly<Record<string, string | number>>;
  /** Environment of every session (SetEnv), for example a PATH with a stand-in program. */
  env?: Readonly<Record<string, string>>;
  /**
   * A further name of the account that runs the tests, which can then log in by this name as well. It stands in a copy of /etc/passwd
   * that this sshd alone sees, in a mount namespace of its own.
   */
  alsoNamed?: string;
  /** Records every command line byte for byte for `received()`, then runs it by the account's shell. */
  recordCommands?: boolean;
};

export type Sshd = AsyncDisposable & {
  host: string;
  port: number;
  /** Of the listening process. Each login is a child of it. */
  pid: number;
  /** The account that runs the tests. An sshd without PAM can log in no other account, unless root runs it. */
  user: string;
  /** The fingerprint of the first host key type. */
  hostKeyFingerprint: string;
  /** The same key as known_hosts(5) has it: its type and the key. */
  hostKey: string;
  /** The log of sshd so far (LogLevel VERBOSE: every login and refusal). */
  log(): string;
  /** The command lines that clients sent, as raw bytes. Needs `recordCommands`. */
  received(): Buffer[];
  /** Ends the listening server and all its sessions at once, as a crash would. */
  kill(): Promise<void>;
  dispose(): Promise<void>;
};

/** A real OpenSSH server on a free port of the loopback, with keys made for this run in a folder of its own. */
export async function startSshd(options: SshdOptions = {}): Promise<Sshd> {
  requireOpenSsh();
  // The privilege separation folder is missing when the system does not start sshd.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const folder = mkdtempSync(join(tmpdir(), 'homeport-sshd-'));
  chmodSync(folder, 0o755);
  const file = (name: string) => join(folder, name);
  const { address = '127.0.0.1' } = options;
  if (address === '::1') requireIpv6();
  const port = options.port ?? (await freePort(address));
  const hostKeys = (options.hostKeyTypes ?? ['ed25519']).map((type) =>
    makeHostKey(file(`host-${type}`), type),
  );

  writeFileSync(file('authorized_keys'), `${(options.authorizedKeys ?? []).join('\n')}\n`);
  const settings: [string, string | number][] = [
    ...Object.entries(options.config ?? {}),
    ...Object.entries({ ...noProfile, ...options.env }).map(([name, value]): [string, string] => [
      'SetEnv',
      `${name}="${value}"`,
    ]),
    ...(options.recordCommands ? [['ForceCommand', writeRecorder(folder)] as [string, string]] : []),
    ...hostKeys.map((path): [string, string] => ['HostKey', path]),
    ['ListenAddress', `${urlHost(address)}:${port}`],
    ['PidFile', 'none'],
    ['AuthorizedKeysFile', file('authorized_keys')],
    ['UsePAM', 'no'],
    ['StrictModes', 'no'],
    ['PermitRootLogin', 'yes'],
    ['PasswordAuthentication', 'no'],
    ['KbdInteractiveAuthentication', 'no'],
    // Otherwise sshd would refuse some logins of a burst at random.
    ['MaxStartups', '200'],
    ['LogLevel', 'VERBOSE'],
  ];
  writeFileSync(
    file('sshd_config'),
    `${mergeSetEnv(settings)
      .map(([key, value]) => `${key} ${value}`)
      .join('\n')}\n`,
  );

  const words = [sshdPath, '-D', '-e', '-f', file('sshd_config')];
  const [command = '', ...args] =
    options.alsoNamed === undefined ? words : withAccount(options.alsoNamed, file('passwd'), words);
  const server = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  await answers({ port, address }, server, () => log);

  const kill = () => killFamily(server);
  const dispose = async () => {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  };
  const [keyType = '', firstKey = ''] = readFileSync(`${hostKeys[0]}.pub`, 'utf8').split(' ');
  return {
    host: address,
    port,
    pid: server.pid ?? 0,
    user: userInfo().username,
    hostKeyFingerprint: fingerprintOf(Buffer.from(firstKey, 'base64')),
    hostKey: `${keyType} ${firstKey}`,
    log: () => log,
    received: () => readRecords(folder),
    kill,
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

/** unshare(1): the program sees the copy in place of /etc/passwd; nothing else does. Without root a namespace of users allows that. */
function withAccount(name: string, passwd: string, words: readonly string[]): string[] {
  const { uid, gid, homedir, shell } = userInfo();
  const own = `${name}:x:${uid}:${gid}::${homedir}:${shell ?? '/bin/sh'}\n`;
  writeFileSync(passwd, `${readFileSync('/etc/passwd', 'utf8').trimEnd()}\n${own}`, { mode: 0o644 });
  const asUser = uid === 0 ? [] : ['--map-current-user', '--keep-caps'];
  const program = 'mount --bind "$1" /etc/passwd && shift && exec "$@"';
  return ['unshare', '--mount', ...asUser, 'sh', '-c', program, 'sh', passwd, ...words];
}

/** bash reads ~/.bashrc for sshd unless SHLVL says that it runs within another shell. No test is about that file. */
const noProfile = { SHLVL: '2' };

function makeHostKey(path: string, type: TestKeyType): string {
  const [kind = '', bits] = type.split('-');
  execFileSync('ssh-keygen', ['-q', '-t', kind, ...(bits ? ['-b', bits] : []), '-N', '', '-f', path]);
  return path;
}

/** sshd_config(5) takes the first SetEnv line only, with all pairs on it. */
function mergeSetEnv(settings: [string, string | number][]): [string, string | number][] {
  const pairs = settings.filter(([key]) => key === 'SetEnv').map(([, value]) => value);
  const others = settings.filter(([key]) => key !== 'SetEnv');
  return pairs.length > 0 ? [['SetEnv', pairs.join(' ')], ...others] : others;
}

/** A forced command that records each command line with a NUL after it, and then runs it as sshd would. */
function writeRecorder(folder: string): string {
  const path = join(folder, 'record-command');
  const program = `#!/bin/sh
printf '%s\\0' "$SSH_ORIGINAL_COMMAND" >>'${join(folder, 'commands')}'
exec "\${SHELL:-/bin/sh}" -c "$SSH_ORIGINAL_COMMAND"
`;
  writeFileSync(path, program, { mode: 0o755 });
  return path;
}

function readRecords(folder: string): Buffer[] {
  const path = join(folder, 'commands');
  if (!existsSync(path)) return [];
  const all = readFileSync(path);
  const records: Buffer[] = [];
  for (let start = 0, end = all.indexOf(0); end >= 0; start = end + 1, end = all.indexOf(0, start)) {
    records.push(all.subarray(start, end));
  }
  return records;
}

/** A machine without IPv6 cannot run these tests. They fail there, so that nobody takes a skipped test for a passed one. */
function requireIpv6(): void {
  const loopback = Object.values(networkInterfaces()).flatMap((cards) => cards ?? []);
  if (!loopback.some(({ address }) => address === '::1'))
    throw new Error(
      'This machine has no ::1. Turn IPv6 on for its loopback: sysctl net.ipv6.conf.lo.disable_ipv6=0',
    );
}

async function answers(
  { port, address }: { port: number; address: string },
  server: ChildProcess,
  log: () => string,
): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    if (server.exitCode !== null) throw new Error(`sshd ended at once: ${log()}`);
    const reached = await new Promise<boolean>((resolve) => {
      const socket = connect(port, address);
      socket.once('data', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
    if (reached) return;
    await wait(20);
  }
  throw new Error(`sshd did not answer on port ${port}: ${log()}`);
}

/** Kills every process that descends from the server. `ps` lists each process with its parent. */
async function killFamily(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null || server.pid === undefined) return;
  const family = descendants(server.pid);
  const ended = once(server, 'exit');
  for (const pid of [server.pid, ...family]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process ended by itself after the listing.
    }
  }
  await ended;
}

function descendants(pid: number): number[] {
  const listing = execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const rows = listing
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number));
  const childrenOf = (parent: number): number[] =>
    rows.flatMap(([child = 0, of]) => (of === parent ? [child, ...childrenOf(child)] : []));
  return childrenOf(pid);
}
