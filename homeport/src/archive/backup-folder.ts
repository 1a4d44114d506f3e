import { type ChildProcess, fork } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BackupFailed, type BackupFolder } from '@homeport/api';
import { withoutSettings } from '../proxy-service/keep-service.ts';
import { type Answer, answerSchema, type Order } from './backup-messages.ts';

const program = fileURLToPath(new URL('../../dist/backup-process.js', import.meta.url));
const heapMiB = 192;
const keptOfErrors = 2_000;

type Options = {
  path: string;
  usualRecipient: string | null;
  /** Where a process reaches the store. */
  storeUrl: string;
  secret: string;
};

/** The folder of backups. Each backup is made, and read again, by a process of its own. */
export function openBackupFolder({ path, usualRecipient, storeUrl, secret }: Options): BackupFolder {
  const running = new Set<ChildProcess>();
  const at = (file: string) => join(path, file);
  return {
    ...{ path, usualRecipient },
    async make(file, recipient) {
      await makeFolder(path);
      const order: Order = { kind: 'make', storeUrl, secret, file: at(file), recipient };
      const answer = await obeyed(order, running);
      if (answer.kind !== 'made') throw new BackupFailed(whyOf(answer));
      const { rows, bytes, sha256 } = answer;
      return { rows, bytes, sha256 };
    },
    async isIntact(file, sha256) {
      const answer = await obeyed({ kind: 'read', file: at(file) }, running);
      if (answer.kind !== 'read') throw new BackupFailed(whyOf(answer));
      return answer.sha256 === sha256;
    },
    has: async (file) => (await sizeOf(at(file))) !== null,
    async open(file) {
      const bytes = await sizeOf(at(file));
      return bytes === null ? null : { bytes, chunks: createReadStream(at(file)) };
    },
    remove: (file) => rm(at(file), { force: true }),
    async close() {
      for (const child of running) child.kill('SIGTERM');
      await Promise.all([...running].map((child) => new Promise((resolve) => child.once('close', resolve))));
    },
  };
}

/** What a process that was killed left is removed when the next backup begins: only one is made at a time. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const left = (await readdir(path)).filter((name) => /^homeport-.*\.part$/.test(name));
    for (const name of left) await rm(join(path, name), { force: true });
  } catch (error) {
    throw new BackupFailed(`${path} cannot be written: ${(error as Error).message}.`);
  }
}

async function sizeOf(file: string): Promise<number | null> {
  const found = await stat(file).catch(() => null);
  return found?.isFile() ? found.size : null;
}

function whyOf(answer: Answer): string {
  return answer.kind === 'failed' ? answer.why : 'The process of the backup gave another answer.';
}

/** Starts the process, gives it the order and waits for its end. */
async function obeyed(order: Order, running: Set<ChildProcess>): Promise<Answer> {
  const child = fork(program, [], {
    execArgv: [`--max-old-space-size=${heapMiB}`],
    env: withoutSettings(process.env),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  running.add(child);
  let answer: Answer | undefined;
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-keptOfErrors);
  });
  child.on('message', (message) => {
    const read = answerSchema.safeParse(message);
    if (!read.success) return;
    if (read.data.kind === 'ready') child.send(order);
    else answer = read.data;
  });
  const how = await new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(`it ended with ${signal ?? code}`));
  });
  running.delete(child);
  if (answer) return answer;
  const why = errors.trim().split('\n').at(-1);
  return {
    kind: 'failed',
    why: `The process of the backup gave no answer: ${how}. Nothing of it was kept.${why ? ` ${why}` : ''}`,
  };
}
