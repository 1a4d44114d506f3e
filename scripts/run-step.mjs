import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { root } from './install.mjs';

/**
 * Runs one command from the repository's root with its output on this terminal. The command leads a process group of its own, so
 * that it can be ended with its child processes: when it exceeds its deadline, or when this process has to end. Several steps can
 * run at once.
 *
 * @param {string} command a program of PATH or of node_modules/.bin
 * @param {readonly string[]} args
 * @param {{ deadlineSeconds: number, env?: Record<string, string> | undefined, aside?: boolean }} options `aside` for a step beside
 *   another one: it yields the processor to the other one, and its output appears as a whole when it ends.
 * @returns {Promise<{ ok: boolean, seconds: number, reason?: string }>} `reason` gives the cause in words when `ok` is false.
 */
export function runStep(command, args, { deadlineSeconds, env = {}, aside = false }) {
  const startedAt = performance.now();
  const path = `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`;
  const [program, ...words] = aside ? ['nice', '-n', '10', command, ...args] : [command, ...args];
  const child = spawn(program, words, {
    cwd: root,
    stdio: aside ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    detached: true,
    env: { ...process.env, ...env, PATH: path },
  });
  /** @type {Buffer[]} */
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => output.push(bytes));
  let overdue = false;
  /** @type {NodeJS.Timeout | undefined} */
  let lastResort;
  const end = () => {
    signalGroup(child.pid, 'SIGINT');
    lastResort ??= setTimeout(() => signalGroup(child.pid, 'SIGKILL'), graceSeconds * 1000);
  };
  const interrupt = () => {
    interrupted = true;
    end();
  };
  const deadline = setTimeout(() => {
    overdue = true;
    end();
  }, deadlineSeconds * 1000);
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  running += 1;

  return new Promise((resolve) => {
    let isSettled = false;
    /** @param {string | undefined} reason */
    const settle = (reason) => {
      if (isSettled) return;
      isSettled = true;
      running -= 1;
      clearTimeout(deadline);
      clearTimeout(lastResort);
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', interrupt);
      process.stdout.write(Buffer.concat(output));
      // The last step to end takes this process with it. The others do not resolve, so that no further step begins.
      if (interrupted) {
        if (running === 0) process.exit(130);
        return;
      }
      const seconds = (performance.now() - startedAt) / 1000;
      resolve(reason === undefined ? { ok: true, seconds } : { ok: false, seconds, reason });
    };
    child.once('error', (error) => settle(error.message));
    child.once('close', (code, signal) => {
      if (overdue) settle(`took longer than ${deadlineSeconds} s`);
      else if (code === 0) settle(undefined);
      else settle(signal ? `ended by ${signal}` : `exit code ${code}`);
    });
  });
}

/** How many steps run, and whether this process was asked to end. */
let running = 0;
let interrupted = false;

/** How long a runner may take to end its own processes, such as a PostgreSQL or a console. */
const graceSeconds = 20;

/**
 * @param {number | undefined} pid of the process that leads the group
 * @param {'SIGINT' | 'SIGKILL'} signal
 */
function signalGroup(pid, signal) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended by itself in the meantime (ESRCH).
  }
}
