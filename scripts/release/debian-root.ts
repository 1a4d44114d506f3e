import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** What the maintainer scripts of the package run. */
const programs = ['sh', 'getent', 'useradd', 'userdel', 'install', 'chgrp', 'chmod', 'stat', 'rm'];

/** Write their arguments into /calls, because no systemd runs in the root. */
const standIns = ['deb-systemd-helper', 'deb-systemd-invoke', 'systemctl'];

const path = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];
const env = { PATH: path.join(':'), LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' };

/**
 * A machine for dpkg in a folder: programs of this machine with their libraries, accounts of its own, and the packages on which ours
 * depends. dpkg enters it by chroot(2) for the maintainer scripts, so it needs root.
 */
export function makeDebianRoot(root: string, dependencies: readonly string[]) {
  for (const folder of [
    'usr/bin',
    'usr/sbin',
    'usr/lib',
    'etc',
    'tmp',
    'run/systemd/system',
    'var/lib/dpkg/updates',
  ])
    mkdirSync(join(root, folder), { recursive: true });
  mkdirSync(join(root, 'dev'));
  for (const folder of ['bin', 'sbin', 'lib', 'lib64'])
    if (existsSync(`/${folder}`)) symlinkSync(`usr/${folder}`, join(root, folder));
  mkdirSync(join(root, 'usr/lib64'), { recursive: true });
  for (const program of programs) copyProgram(root, program);
  for (const name of standIns) {
    const file = join(root, 'usr/bin', name);
    writeFileSync(file, `#!/bin/sh\necho "${name} $*" >>/calls\n`);
    chmodSync(file, 0o755);
  }
  writeFileSync(join(root, 'dev/null'), '');
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\n');
  for (const file of ['shadow', 'gshadow']) writeFileSync(join(root, 'etc', file), '');
  copyFileSync('/etc/login.defs', join(root, 'etc/login.defs'));
  writeFileSync(join(root, 'var/lib/dpkg/status'), statusOf(dependencies));
  writeFileSync(join(root, 'var/lib/dpkg/available'), '');

  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  return {
    read,
    exists: (file: string) => existsSync(join(root, file)),
    /** Throws with dpkg's own words where it fails. */
    dpkg(...args: string[]): string {
      const { status, stdout, stderr } = spawnSync(
        'dpkg',
        // The root has no log and is thrown away, so nothing waits for the disk.
        [`--root=${root}`, '--force-unsafe-io', '--force-confdef', '--force-confold', '--no-pager', ...args],
        { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
      );
      if (status !== 0) throw new Error(`dpkg ${args.join(' ')} failed: ${stdout}${stderr}`);
      return `${stdout}${stderr}`;
    },
    /** What the scripts asked of systemd since the last time. */
    takeCalls(): string[] {
      const calls = existsSync(join(root, 'calls')) ? read('calls').trim().split('\n') : [];
      writeFileSync(join(root, 'calls'), '');
      return calls;
    },
    account(): { uid: number; gid: number } | undefined {
      const [, , uid, gid] = /^homeport-console:.*$/m.exec(read('etc/passwd'))?.[0].split(':') ?? [];
      return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
    },
  };
}

function copyProgram(root: string, name: string): void {
  const found = path.map((folder) => join(folder, name)).find(existsSync);
  if (found === undefined) throw new Error(`This machine has no ${name}.`);
  const folder = found.includes('/sbin/') ? 'usr/sbin' : 'usr/bin';
  copyFileSync(realpathSync(found), join(root, folder, name));
  const { stdout } = spawnSync('ldd', [found], { encoding: 'utf8' });
  for (const [, library = ''] of stdout.matchAll(/(?:=> |^\s*)(\/\S+) \(0x/gm)) {
    const target = join(root, library.startsWith('/usr/') ? library : `/usr${library}`);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(realpathSync(library), target);
  }
}

/** What this machine's dpkg knows of packages that are installed here. */
function statusOf(packages: readonly string[]): string {
  const { stdout } = spawnSync('dpkg-query', ['--status', ...packages], { encoding: 'utf8', env });
  return `${stdout.trim()}\n\n`;
}
