import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { endFamily } from './end-family.ts';
import type { SshHost, SshHostOptions } from './ssh-host.ts';

const sshdPath = '/usr/sbin/sshd';
const answersWithinMs = 10_000;

/**
 * Starts a real sshd as this user. Without PAM sshd needs no root, and lets in this account alone. One login tests the sshd. Null
 * when there is no OpenSSH, or when sshd refuses the account (some systems lock root's account).
 */
export async function startOpenSshHost(
  options: SshHostOptions,
  probe: { privateKeyFile: string },
): Promise<SshHost | null> {
  if (!existsSync(sshdPath)) return null;
  // The folder for privilege separation is missing when the system does not start sshd.
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true, mode: 0o755 });
  const configFile = join(options.folder, 'sshd_config');
  const pidFile = join(options.folder, 'sshd.pid');
  await endLeftOver(pidFile, configFile);
  await writeFile(configFile, configuration(options, pidFile));
  const sshd = spawn(sshdPath, ['-D', '-e', '-f', configFile], {
    stdio: 'ignore',
    // Ctrl-C in the terminal is for the console, which then ends this sshd.
    detached: true,
    env: { PATH: process.env.PATH },
  });
  const close = () => endFamily(sshd);
  if ((await answers(options.port, sshd)) && (await letsIn(options.port, probe.privateKeyFile)))
    return { port: options.port, close };
  await close();
  return null;
}

function configuration({ port, hostKeyFile, authorizedKeysFiles, env }: SshHostOptions, pidFile: string) {
  // SHLVL makes bash skip ~/.bashrc, whose output could break git's protocol.
  const setEnv = Object.entries({ SHLVL: '2', ...env }).map(([name, value]) => `${name}=${value}`);
  return `# Written by Homeport's demo at each start.
ListenAddress 127.0.0.1:${port}
HostKey ${hostKeyFile}
PidFile ${pidFile}
AuthorizedKeysFile ${authorizedKeysFiles.join(' ')}
SetEnv ${setEnv.join(' ')}
AllowUsers ${userInfo().username}
PermitRootLogin yes
UsePAM no
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
X11Forwarding no
AllowTcpForwarding no
LogLevel ERROR
`;
}

/** Ends the sshd of a killed console. The pid counts only if the process's command line still names our file. */
async function endLeftOver(pidFile: string, configFile: string): Promise<void> {
  const pid = Number(await readFile(pidFile, 'utf8').catch(() => ''));
  if (!Number.isInteger(pid) || pid <= 1) return;
  const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  if (!title.includes(configFile)) return;
  process.kill(pid, 'SIGTERM');
  for (const until = Date.now() + 3_000; Date.now() < until; await wait(20))
    if (!existsSync(`/proc/${pid}`)) return;
}

async function answers(port: number, sshd: ChildProcess): Promise<boolean> {
  let failed = false;
  sshd.once('error', () => {
    failed = true;
  });
  for (const until = Date.now() + answersWithinMs; Date.now() < until; await wait(20)) {
    if (failed || sshd.exitCode !== null) return false;
    const socket = connect(port, '127.0.0.1');
    const greeted = await Promise.race([
      once(socket, 'data').then(
        () => true,
        () => false,
      ),
      wait(1_000, false, { ref: false }),
    ]);
    socket.destroy();
    if (greeted) return true;
  }
  return false;
}

async function letsIn(port: number, privateKeyFile: string): Promise<boolean> {
  const options = [
    'BatchMode=yes',
    'IdentitiesOnly=yes',
    'IdentityAgent=none',
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'ConnectTimeout=5',
  ].flatMap((option) => ['-o', option]);
  const target = `${userInfo().username}@127.0.0.1`;
  return promisify(execFile)(
    'ssh',
    ['-F', 'none', '-i', privateKeyFile, '-p', String(port), ...options, target, 'true'],
    { timeout: 10_000 },
  ).then(
    () => true,
    () => false,
  );
}
