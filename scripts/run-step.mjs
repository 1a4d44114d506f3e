import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { root } from './install.mjs';

/**
 * Runs one command from the repository's root with its output on this terminal. It leads a process group of its own, so
 * that what it started ends with it when it takes longer than its deadline or this process is asked to end.
 *
 * @param {string} command a program of PATH or of node_modules/.bin
 * @param {readonly string[]} args
 * @param {{ deadlineSeconds: number, env?: Record<string, string> | undefined }} options
 * @returns {Promise<{ ok: boolean, seconds: number, reason?: string }>} `reason` says why in words when not ok.
 */
export function runStep(command, args, { deadlineSeconds, env = {} }) {
  const startedAt = performance.now();
  const path = `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`;
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
    env: { ...process.env, ...env, PATH: path },
  });
  const end = () => endGroup(child.pid);
  const stop = () => {
    end();
    process.exit(130);
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);

  return new Promise((resolve) => {
    let overdue = false;
    const deadline = setTimeout(() => {
      overdue = true;
      end();
    }, deadlineSeconds * 1000);
    /** @param {string | undefined} reason */
    const settle = (reason) => {
      clearTimeout(deadline);
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
      const seconds = (performance.now() - startedAt) / 1000;
      resolve(reason === undefined ? { ok: true, seconds } : { ok: false, seconds, reason });
    };
    child.once('error', (error) => settle(error.message));
    child.once('exit', (code, signal) => {
      if (overdue) settle(`took longer than ${deadlineSeconds} s`);
      else if (code === 0) settle(undefined);
      else settle(signal ? `ended by ${signal}` : `exit code ${code}`);
    });
  });
}

/** @param {number | undefined} pid of the process that leads the group */
function endGroup(pid) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has ended by itself in the meantime (ESRCH).
  }
}
