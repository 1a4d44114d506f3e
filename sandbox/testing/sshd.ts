import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@homeport/contract/testing';
import type { SandboxHost } from '../src/index.ts';
import { listens, until } from '../src/machine/containers.ts';

/** A real sshd on a loopback port for a sandbox. `admin` gets a shell; keys of the sandbox get their forced command. */
export type TestHost = {
  readonly port: number;
  readonly user: string;
  readonly adminKey: string;
  readonly gitKey: string;
  readonly gitPublicKey: string;
  ssh(
    words: readonly string[],
    stdin?: string,
    key?: string,
  ): { exitCode: number | null; stdout: string; stderr: string };
  /** For GIT_SSH_COMMAND and other clients. */
  sshCommand(key: string): string;
  stop(): Promise<void>;
};

export async function startSshd(folder: string, host: SandboxHost): Promise<TestHost> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const key = (name: string) => {
    const file = join(folder, name);
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', `${name}@test`, '-f', file]);
    return { file, publicKey: spawnSync('cat', [`${file}.pub`], { encoding: 'utf8' }).stdout.trim() };
  };
  const [hostKey, admin, git] = [key('host'), key('admin'), key('git')];
  const port = await freePort();
  writeFileSync(join(folder, 'authorized_keys'), `${admin.publicKey}\n`, { mode: 0o600 });
  const config = [
    ...host.sshdLines,
    `ListenAddress 127.0.0.1:${port}`,
    `HostKey ${hostKey.file}`,
    `AuthorizedKeysFile ${join(folder, 'authorized_keys')} ${host.authorizedKeysFile}`,
    `PidFile ${join(folder, 'pid')}`,
    'PermitRootLogin yes',
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
  ];
  writeFileSync(join(folder, 'sshd_config'), `${config.join('\n')}\n`);
  mkdirSync('/run/sshd', { recursive: true });
  const sshd: ChildProcess = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', join(folder, 'sshd_config')], {
    stdio: 'ignore',
  });
  if (!(await until(() => listens(port), 60_000))) throw new Error('sshd did not start.');
  const user = userInfo().username;
  const options = [
    '-F',
    'none',
    '-o',
    'StrictHostKeyChecking=no',
    '-o',
    'UserKnownHostsFile=/dev/null',
    '-o',
    'LogLevel=ERROR',
    '-o',
    'IdentitiesOnly=yes',
  ];
  return {
    port,
    user,
    adminKey: admin.file,
    gitKey: git.file,
    gitPublicKey: git.publicKey,
    sshCommand: (file) => ['ssh', ...options, '-i', file].join(' '),
    ssh: (words, stdin, file = admin.file) => {
      const argv = [...options, '-i', file, '-p', String(port), `${user}@127.0.0.1`, ...words];
      const done = spawnSync('ssh', argv, { encoding: 'utf8', input: stdin ?? '', timeout: 60_000 });
      return { exitCode: done.status, stdout: done.stdout, stderr: done.stderr };
    },
    stop: async () => {
      sshd.kill('SIGTERM');
      await until(() => sshd.exitCode !== null || sshd.signalCode !== null, 5_000);
    },
  };
}
