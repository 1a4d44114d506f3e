import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { quoteArgv } from '@homeport/contract/quoting';
import { type Account, argvFor, type Command, type Outcome } from '../src/index.ts';
import type { LiveHost } from './check.ts';

export type SshTarget = {
  readonly host: string;
  readonly port: number;
  /** `root`, or a user whose sudo asks for no password. */
  readonly user: string;
  /** The file of the private key that logs in. */
  readonly key: string;
  /** The account to which git pushes: `dokku` on a real host. */
  readonly gitUser: string;
  /** Null stands for the user's own known_hosts. An unknown host key is accepted and stored there; a changed one is refused. */
  readonly knownHosts: string | null;
};

/**
 * A host that is reached by the system's ssh and git. `ufw limit` and sshd's own limits count new connections, so commands share
 * one. `close` removes the key pair for pushing; the checks remove its public half from the server.
 */
export async function openSshHost(target: SshTarget): Promise<LiveHost & { close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'dokku-live-'));
  const pushKey = join(folder, 'push');
  const made = spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'dokku-live', '-f', pushKey]);
  if (made.status !== 0) throw new Error('ssh-keygen failed.');
  const socket = join(folder, 'control');
  const account: Account = target.user === 'root' ? { kind: 'root' } : { kind: 'sudo', user: target.user };
  const common = [
    '-o',
    'BatchMode=yes',
    '-o',
    'StrictHostKeyChecking=accept-new',
    '-o',
    'IdentitiesOnly=yes',
  ];
  if (target.knownHosts !== null) common.push('-o', `UserKnownHostsFile=${target.knownHosts}`);
  const login = [...common, '-p', String(target.port), '-i', target.key, '-o', `ControlPath=${socket}`];
  const to = `${target.user}@${target.host}`;

  const master = spawn('ssh', [...login, '-M', '-N', to], { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  master.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const ended = new Promise<void>((resolve) => master.once('close', () => resolve()));
  const close = async () => {
    if (master.exitCode === null && master.signalCode === null) master.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  while (spawnSync('ssh', [...login, '-O', 'check', to]).status !== 0) {
    if (master.exitCode !== null) {
      await close();
      throw new Error(`No connection to ${to}: ${complaint.trim()}`);
    }
    await sleep(50);
  }

  const start = (file: string, words: readonly string[], options: StartOptions = {}) =>
    runProgram(file, words, options);
  const ssh = (command: Command, ...options: string[]) => [
    ...login,
    ...options,
    to,
    quoteArgv(argvFor(account, command)),
  ];
  return {
    publicKey: readFileSync(`${pushKey}.pub`, 'utf8').trim(),
    run: (command) => start('ssh', ssh(command), { stdin: command.stdin ?? '' }),
    // A stream without an end gets a terminal. Without one the readers of a silent app outlive their client, and the shared
    // connection keeps the client's streams open until they end.
    follow: (command, until) => start('ssh', ssh(command, '-tt'), { until, withinMs: 30_000 }),
    push: async (app, files) => {
      const work = mkdtempSync(join(folder, 'project-'));
      for (const [file, text] of Object.entries(files)) writeFileSync(join(work, file), text);
      const remote = `ssh://${target.gitUser}@${target.host}:${target.port}/${app}`;
      const own = ['-c', 'user.name=live', '-c', 'user.email=live@example.com', '-C', work];
      const env = {
        ...process.env,
        GIT_SSH_COMMAND: quoteArgv(['ssh', ...common, '-o', 'ControlPath=none', '-i', pushKey]),
        GIT_CONFIG_GLOBAL: '/dev/null',
      };
      for (const words of [
        ['init', '-q'],
        ['checkout', '-q', '-B', 'main'],
        ['add', '.'],
        ['commit', '-q', '-m', 'live'],
      ]) {
        const outcome = await start('git', [...own, ...words], { env });
        if (outcome.exitCode !== 0) return outcome;
      }
      return start('git', [...own, 'push', '--force', remote, 'main'], { env });
    },
    close,
  };
}

type StartOptions = {
  stdin?: string;
  env?: NodeJS.ProcessEnv;
  /** Ends the program when this holds for its output so far. */
  until?: (stdout: string) => boolean;
  /** Default 10 minutes, because a first build pulls its images. */
  withinMs?: number;
};

/** How long the streams of a killed program may stay open. */
const closesWithinMs = 10_000;

/** Rejects when a program that was killed does not end its streams: something of it still runs on the server. */
function runProgram(file: string, words: readonly string[], options: StartOptions): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, words, { stdio: 'pipe', env: options.env ?? process.env });
    let patience: NodeJS.Timeout | undefined;
    // A client of a shared connection passes SIGTERM on to the connection itself, so this has to be SIGKILL.
    const kill = () => {
      child.kill('SIGKILL');
      patience ??= setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        reject(new Error('The stream was closed, and its command did not end on the server.'));
      }, closesWithinMs);
    };
    const timer = setTimeout(kill, options.withinMs ?? 600_000);
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      if (options.until?.(stdout)) kill();
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.stdin.on('error', () => undefined); // EPIPE: the command ended without reading all of it
    child.stdin.end(options.stdin ?? '');
    child.once('error', reject);
    child.once('close', (exitCode) => {
      clearTimeout(timer);
      clearTimeout(patience);
      resolve({ exitCode, stdout, stderr });
    });
  });
}
