import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

export const sshdPath = '/usr/sbin/sshd';

/** The tests need a real OpenSSH server. As root on Debian this function installs it; elsewhere the error says what to do. */
export function requireOpenSsh(): void {
  if (existsSync(sshdPath)) return;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Error(
      `${sshdPath} is missing. Install OpenSSH first, for example: sudo apt-get install openssh-server`,
    );
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'pipe', env });
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'openssh-server'], {
    stdio: 'pipe',
    env,
  });
}
