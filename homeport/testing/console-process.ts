import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { staleParts } from '../../scripts/stale.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const bundle = join(root, 'homeport/dist/server.js');
const startWithinMs = 90_000;

/**
 * Builds the server where it is missing or was built from other sources, like `npm start`. `npm test` builds before the tests begin:
 * so no file of one worker replaces the program that a file of another worker starts.
 */
export function buildServer(): void {
  if (!staleParts().includes('server')) return;
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), 'server'], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the server could not be built: ${stderr}`);
}

export type ConsoleProcess = {
  child: ChildProcess;
  /** Everything that the console printed so far. */
  output(): string;
  /** Resolves once the console says that it is ready. Rejects with its output when it ends before that. */
  ready(): Promise<void>;
  /** The console's exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>;
};

/** Runs the built console in a process of its own, with only the given settings. */
export function startConsoleProcess(argv: string[], env: Record<string, string> = {}): ConsoleProcess {
  const program = `const { main } = await import(${JSON.stringify(bundle)}); await main(process.argv.slice(1));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, '--', ...argv], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const told = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      for (const tell of told) tell();
    });
  }
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
  return {
    child,
    ended,
    output: () => printed,
    ready: () =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`not ready in time:\n${printed}`)), startWithinMs);
        const look = () => {
          if (!printed.includes('Ctrl-C ends it.')) return;
          clearTimeout(late);
          resolve();
        };
        told.add(look);
        look();
        void ended.then(() => {
          clearTimeout(late);
          reject(new Error(`ended before it was ready:\n${printed}`));
        });
      }),
  };
}

/** A folder for a console's data. It is removed once no PostgreSQL runs on it, as one still does for a moment after its console was killed. */
export async function temporaryFolder(): Promise<{ path: string; [Symbol.asyncDispose](): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'homeport-console-'));
  return {
    path,
    async [Symbol.asyncDispose]() {
      await endOfPostgres(path);
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Waits for the end of the embedded server, which ends with its console by itself. Ends it after a minute. */
async function endOfPostgres(dataFolder: string): Promise<void> {
  const pid = await postmasterPid(dataFolder).catch(() => 0);
  if (pid === 0 || !(await isPostgresOf(dataFolder, pid))) return;
  const lateAt = Date.now() + 60_000;
  while (await isRunning(pid)) {
    if (Date.now() > lateAt) process.kill(pid, 'SIGKILL');
    await pause(50);
  }
}

/** A pid file may name a process that has nothing to do with PostgreSQL: its number was given again, or a test wrote it there. */
async function isPostgresOf(dataFolder: string, pid: number): Promise<boolean> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.includes(join(dataFolder, 'postgres'));
}

/** The pid of the embedded server that runs on the data folder, or ran last. */
export async function postmasterPid(dataFolder: string): Promise<number> {
  return Number((await readFile(join(dataFolder, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0]);
}

/** Whether a process runs. An ended process may keep its number, without a command line, until its parent collects its exit code (proc(5)). */
export async function isRunning(pid: number): Promise<boolean> {
  if (process.platform === 'linux')
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) !== '';
  return spawnSync('ps', ['-p', String(pid)]).status === 0;
}

/** Queries the embedded server of a running console, like its services. */
export async function query(dataFolder: string, sql: string, values: unknown[] = []): Promise<unknown[]> {
  const client = new pg.Client({ host: join(dataFolder, 'run'), user: 'postgres', database: 'homeport' });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql, values)).rows as unknown[];
  } finally {
    await client.end();
  }
}
