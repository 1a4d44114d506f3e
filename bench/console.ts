import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../scripts/install.mjs';
import { startFlags } from './start-flags.ts';

const readyWithinMs = 120_000;
export const url = 'http://127.0.0.1:17071';

/** Starts the console of `npm start` on this data folder, and resolves when it answers. */
export async function startConsole(data: string): Promise<{ pid: number; stop(): Promise<void> }> {
  const program = spawn(
    process.execPath,
    [...startFlags, 'scripts/start.mjs', '--data', data, '--port', '17071'],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, HOMEPORT_PROXY_PORT: '17081' },
    },
  );
  const stop = async () => {
    const ended = new Promise((resolve) => program.once('exit', resolve));
    program.kill('SIGINT');
    await ended;
  };
  await answers(program);
  return { pid: program.pid ?? 0, stop };
}

async function answers(program: ChildProcess): Promise<void> {
  const deadline = performance.now() + readyWithinMs;
  while (performance.now() < deadline) {
    if (program.exitCode !== null) throw new Error(`The console ended with ${program.exitCode}.`);
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await pause(20);
  }
  program.kill('SIGINT');
  throw new Error(`The console was not ready within ${readyWithinMs} ms.`);
}
