import { spawn } from 'node:child_process';
import { isatty } from 'node:tty';
import { quoteArgv } from '@homeport/contract/quoting';
import type { Container } from '../../machine/containers.ts';

/** True where Docker's client would give the container's program a terminal. */
export const hasTerminal = (): boolean => isatty(0);

/**
 * Runs the words in the container's folder with its variables, on a terminal of their own as Docker makes one: script(1) relays bytes
 * and sizes.
 *
 * @param way `exec`: as of `docker exec`, a hang-up of the client's terminal reaches nothing in the container. `run`: the client passes it on.
 */
export function onTerminal(
  container: Container,
  words: readonly string[],
  way: 'exec' | 'run',
  onStarted: (pid: number | undefined) => void = () => {},
): Promise<number> {
  const child = spawn(
    'script',
    ['--quiet', '--return', '--command', `exec ${quoteArgv(words)}`, '/dev/null'],
    {
      cwd: container.folder,
      env: { ...container.env, SHELL: '/bin/sh' },
      stdio: 'inherit',
      // In a session of its own, which is not that of the client's terminal.
      detached: way === 'exec',
    },
  );
  if (way === 'exec') process.on('SIGWINCH', () => child.kill('SIGWINCH'));
  onStarted(child.pid);
  return new Promise((resolve) => {
    child.once('error', () => resolve(126));
    child.once('close', (code) => resolve(code ?? 137));
  });
}
