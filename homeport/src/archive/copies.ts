import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type BackupCopies, BackupFailed } from '@homeport/api';

const keptOfErrors = 4_000;
const shownOfErrors = 300;
const hourMs = 60 * 60_000;
/** What takes longer is given up: the next backup waits for none of it. */
const deadlines = { put: 6 * hourMs, read: hourMs, remove: 2 * 60_000 };
/** rclone's code for a folder that is not there (https://rclone.org/docs/#exit-code). */
const noFolder = 3;

type Options = {
  /** `remote:folder`, as the operator named it. */
  target: string;
  /** Where the files are. */
  folder: string;
  /** Of the process: rclone finds its settings by RCLONE_CONFIG or HOME. */
  env: NodeJS.ProcessEnv;
};

/** Copies of backups at a remote of rclone's, which the operator set up: the console knows none of its secrets. */
export function openCopies({ target, folder, env }: Options): BackupCopies & { close(): Promise<void> } {
  const running = new Set<ChildProcess>();
  const at = (file: string) => `${target}${target.endsWith(':') || target.endsWith('/') ? '' : '/'}${file}`;

  /** Resolves with the exit code. Throws `BackupFailed` for every code but 0 and the accepted ones, and after the deadline. */
  async function rclone(
    command: readonly string[],
    names: readonly string[],
    {
      deadlineMs,
      accept = [],
      take,
    }: { deadlineMs: number; accept?: readonly number[]; take?: (chunk: Buffer) => void },
  ): Promise<number> {
    const child = spawn('rclone', [...command, ...usual, '--', ...names], {
      env,
      stdio: ['ignore', take ? 'pipe' : 'ignore', 'pipe'],
    });
    running.add(child);
    let errors = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-keptOfErrors);
    });
    if (take) child.stdout?.on('data', take);
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, deadlineMs);
    try {
      const ended = await new Promise<number | string>((resolve, reject) => {
        child.once('error', (error: NodeJS.ErrnoException) =>
          reject(
            new BackupFailed(
              error.code === 'ENOENT'
                ? 'rclone is not installed on the console’s machine.'
                : `rclone did not start: ${error.message}.`,
            ),
          ),
        );
        child.once('close', (code, signal) => resolve(code ?? `${signal}`));
      });
      if (ended === 0 || (typeof ended === 'number' && accept.includes(ended))) return ended;
      if (isLate)
        throw new BackupFailed(`rclone took longer than ${deadlineMs / 60_000} minutes and was ended.`);
      throw new BackupFailed(`rclone ended with ${ended}: ${lastWords(errors)}`);
    } finally {
      clearTimeout(late);
      running.delete(child);
    }
  }

  return {
    target,
    async put(file) {
      // A file of the same size and time is what rclone takes for a copy, whatever is in it.
      await rclone(['copyto', '--ignore-times'], [join(folder, file), at(file)], {
        deadlineMs: deadlines.put,
      });
    },
    async isIntact(file, sha256) {
      const sum = createHash('sha256');
      await rclone(['cat'], [at(file)], { deadlineMs: deadlines.read, take: (chunk) => sum.update(chunk) });
      return sum.digest('hex') === sha256;
    },
    async remove(file) {
      // Whether it is there: to remove one that is not is no failure, which older versions of rclone do not tell apart.
      let listed = '';
      await rclone(['lsf', '--files-only', `--include=/${file}`], [at('')], {
        deadlineMs: deadlines.remove,
        accept: [noFolder],
        take: (chunk) => {
          listed = (listed + chunk.toString()).slice(0, keptOfErrors);
        },
      });
      if (listed.trim() === file) await rclone(['deletefile'], [at(file)], { deadlineMs: deadlines.remove });
    },
    async close() {
      const ends = [...running].map((child) => new Promise((resolve) => child.once('close', resolve)));
      for (const child of running) child.kill('SIGTERM');
      await Promise.all(ends);
    },
  };
}

/** A service that does not answer is no reason to wait for hours. */
const usual = [
  ...['--contimeout', '15s', '--timeout', '120s', '--retries', '3', '--low-level-retries', '4'],
  ...['--stats', '0', '--log-level', 'ERROR', '--ask-password=false'],
];

/** The last line of rclone's errors, without its date and without what a terminal would take as a command. */
function lastWords(errors: string): string {
  const last = errors.trim().split('\n').at(-1) ?? '';
  const words = last
    .slice(0, 2 * shownOfErrors)
    .replace(/^[0-9]{4}\/[0-9]{2}\/[0-9]{2} [0-9:]{8} /, '')
    .replace(/\p{Cc}/gu, ' ')
    .trim();
  return words.slice(0, shownOfErrors) || 'it gave no reason.';
}
