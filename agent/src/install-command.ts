import { agentProgram, installProgram, uninstallProgram } from './programs.ts';

export type InstallOptions = {
  /** The console's public URL, to which reports are posted. */
  url: string;
  /** The account that runs the agent. It is made if it is missing. */
  user?: string;
  intervalSeconds?: number;
  /** `host:port` for connect times, or `none`. */
  pings?: Partial<Record<'eu' | 'us' | 'asia', string>>;
  scheduler?: 'auto' | 'systemd' | 'cron' | 'none';
  /** The folder in which containers are measured. Default: `/sys/fs/cgroup`. */
  cgroupRoot?: string;
  /** The folder in which the machine's firmware names it. Default: `/sys/class/dmi/id`. */
  dmiRoot?: string;
  /** The file in which Homeport's Dokku plugin tells of scheduled backups. Default: its own, beneath `/var/lib/dokku`. */
  backupRuns?: string;
  /** Puts every file beneath this folder and starts nothing. Needs no root; another user then stands in place of `user`. */
  root?: string;
};

/** A command that root runs on a remote machine: words for the one quoting function, and the standard input. */
export type RemoteProgram = { argv: readonly string[]; stdin: string };

/** The token goes over standard input only. @throws RangeError for a token that is not 16 to 128 of A-Z a-z 0-9 _ - */
export function installCommand(token: string, options: InstallOptions): RemoteProgram {
  if (!/^[A-Za-z0-9_-]{16,128}$/.test(token)) throw new RangeError('This is not an agent token.');
  return {
    argv: ['bash', '-c', installProgram, 'homeport-agent-install', ...installWords(options)],
    stdin: `${token}\n${agentProgram}`,
  };
}

/** The installer's options as words. */
export function installWords(options: InstallOptions): string[] {
  const flags = {
    '--url': options.url,
    '--user': options.user,
    '--interval': options.intervalSeconds?.toString(),
    '--ping-eu': options.pings?.eu,
    '--ping-us': options.pings?.us,
    '--ping-asia': options.pings?.asia,
    '--scheduler': options.scheduler,
    '--cgroup-root': options.cgroupRoot,
    '--dmi-root': options.dmiRoot,
    '--backup-runs': options.backupRuns,
    '--root': options.root,
  };
  return Object.entries(flags).flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]));
}

export function uninstallCommand(options: {
  user?: string;
  removeUser: boolean;
  root?: string;
}): RemoteProgram {
  const words = [
    ...(options.user === undefined ? [] : ['--user', options.user]),
    ...(options.removeUser ? ['--remove-user'] : []),
    ...(options.root === undefined ? [] : ['--root', options.root]),
  ];
  return { argv: ['bash', '-c', uninstallProgram, 'homeport-agent-uninstall', ...words], stdin: '' };
}
