import { readdir, readFile } from 'node:fs/promises';
import type { SandboxServer } from '@homeport/api/testing';

export type HostWithDokku = Pick<SandboxServer, 'dokku'> & {
  appNames(): Promise<string[]>;
  /** The command lines of the host that have the app's name as a word, so of the programs that still work on the app. */
  workingOn(app: string): Promise<string[]>;
};

export function askHost({ dokku }: SandboxServer): HostWithDokku {
  return {
    dokku,
    async appNames() {
      return (await dokku('--quiet', 'apps:list')).split('\n').filter((line) => line !== '');
    },
    async workingOn(app) {
      const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
      const commands = await Promise.all(
        // Words end with NUL. A process that has ended meanwhile has none (proc(5)).
        pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
      );
      return commands
        .filter((words) => words.split('\0').includes(app))
        .map((words) => words.replaceAll('\0', ' '));
    },
  };
}
