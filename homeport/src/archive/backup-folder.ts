import { type ChildProcess, fork } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BackupFailed, type BackupFolder, type BackupProof } from '@homeport/api';
import { withoutSettings } from '../proxy-service/keep-service.ts';
import { type Answer, answerSchema, type Order } from './backup-messages.ts';
import { openCopies } from './copies.ts';

const program = fileURLToPath(new URL('../../dist/backup-process.js', import.meta.url));
const heapMiB = 192;
const keptOfErrors = 2_000;

type Options = {
  path: string;
  usualRecipient: string | null;
  /** Where a process reaches the store. */
  storeUrl: string;
  secret: string;
  /** The remote of rclone that gets a copy of each encrypted backup; null: none. */
  copyTo: string | null;
  /** Where the PostgreSQL of a test restore has its data meanwhile. */
  scratch: string;
  /** The folder of its programs; undefined: those that Homeport brings. */
  programs?: string | undefined;
};

/** The folder of backups. Each backup is made, and read again, by a process of its own. */
export function openBackupFolder({
  path,
  usualRecipient,
  storeUrl,
  secret,
  copyTo: target,
  scratch,
  programs,
}: Options): BackupFolder {
  const running = new Set<ChildProcess>();
  const copies =
    target === null ? null : openCopies({ target, folder: path, env: withoutSettings(process.env) });
  const at = (file: string) => join(path, file);
  return {
    ...{ path, usualRecipient, copies },
    async make(file, recipient, { prove }) {
      await makeFolder(path);
      const proveIn = prove ? scratch : null;
      const answers = await obeyed(
        { kind: 'make', storeUrl, secret, file: at(file), recipient, proveIn, programs },
        running,
      );
      const made = answers.find((answer) => answer.kind === 'made');
      if (!made) throw new BackupFailed(whyOf(answers));
      const { rows, bytes, sha256 } = made;
      return { rows, bytes, sha256, proof: prove ? proofOf(answers) : null };
    },
    async isIntact(file, sha256) {
      const answers = await obeyed({ kind: 'read', file: at(file) }, running);
      const read = answers.find((answer) => answer.kind === 'read');
      if (!read) throw new BackupFailed(whyOf(answers));
      return read.sha256 === sha256;
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
      await copies?.close();
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

const failureOf = (answers: readonly Answer[]) =>
  answers.find((answer): answer is Extract<Answer, { kind: 'failed' }> => answer.kind === 'failed')?.why;

const whyOf = (answers: readonly Answer[]): string =>
  failureOf(answers) ?? 'The process of the backup gave another answer.';

/** A whole backup stays whole when the process of its proof ends early. */
function proofOf(answers: readonly Answer[]): BackupProof {
  const tried = answers.find((answer) => answer.kind === 'tried');
  return tried?.proof ?? { state: 'skipped', note: `The test restore did not end. ${whyOf(answers)}` };
}

/** Starts the process, gives it the order and waits for its end. The last answer says why where there is no other one. */
async function obeyed(order: Order, running: Set<ChildProcess>): Promise<Answer[]> {
  const child = fork(program, [], {
    execArgv: [`--max-old-space-size=${heapMiB}`],
    env: withoutSettings(process.env),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  running.add(child);
  const answers: Answer[] = [];
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-keptOfErrors);
  });
  child.on('message', (message) => {
    const read = answerSchema.safeParse(message);
    if (!read.success) return;
    if (read.data.kind === 'ready') child.send(order);
    else answers.push(read.data);
  });
  const how = await new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(`it ended with ${signal ?? code}`));
  });
  running.delete(child);
  if (answers.length > 0) return answers;
  const why = errors.trim().split('\n').at(-1);
  return [
    {
      kind: 'failed',
      why: `The process of the backup gave no answer: ${how}. Nothing of it was kept.${why ? ` ${why}` : ''}`,
    },
  ];
}
