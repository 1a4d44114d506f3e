import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { removeCgroup, writeCgroup } from '../machine/cgroup.ts';
import { type ContainerState, containerOf, filesOf, stamp } from '../machine/containers.ts';
import { writeState } from '../machine/files.ts';
import type { Paths } from '../machine/paths.ts';
import { signal, startTicksOf } from '../machine/processes.ts';

const mostRestarts = 10;
const measureEveryMs = 10_000;

/**
 * Supervises one process like a container runtime: starts the process, stores its output with the time of each line, restarts it
 * when it fails (`on-failure:10`), and stops its whole group on SIGTERM.
 */
export async function superviseContainer(paths: Paths, id: string): Promise<void> {
  const container = containerOf(paths, id);
  if (!container) return;
  const files = filesOf(paths, id);
  const log = createWriteStream(files.log, { flags: 'a' });
  let stopping = false;
  let child: ChildProcess | undefined;
  const state: ContainerState = {
    status: 'running',
    supervisor: process.pid,
    supervisorTicks: startTicksOf(process.pid),
    group: 0,
    startedAt: '',
    exitCode: 0,
    restarts: 0,
  };
  const measuring = setInterval(() => {
    if (state.status === 'running') writeCgroup(paths, container, state.group);
  }, measureEveryMs);
  process.on('SIGTERM', () => {
    stopping = true;
    if (child?.pid) signal(-child.pid, container.stopSignal ?? 'SIGTERM');
  });
  for (;;) {
    child = spawn('/bin/sh', ['-c', container.command], {
      cwd: container.folder,
      env: container.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', (line) => log.write(`${stamp()} ${line}\n`));
    }
    Object.assign(state, { status: 'running', group: child.pid ?? 0, startedAt: stamp() });
    writeState(files.state, state);
    writeCgroup(paths, container, state.group);
    state.exitCode = await new Promise<number>((resolve) => {
      child?.once('error', () => resolve(127));
      child?.once('exit', (code) => resolve(code ?? 137));
    });
    state.finishedAt = stamp();
    removeCgroup(paths, id);
    signal(-state.group, 'SIGKILL');
    if (stopping || container.words || state.exitCode === 0 || state.restarts >= mostRestarts) break;
    state.restarts += 1;
    state.status = 'restarting';
    writeState(files.state, state);
    await new Promise((resolve) => setTimeout(resolve, Math.min(100 * 2 ** state.restarts, 5_000)));
    if (stopping) break;
  }
  clearInterval(measuring);
  await new Promise<void>((resolve) => log.end(resolve));
  if (container.words) return rmSync(paths.container(id), { recursive: true, force: true });
  writeState(files.state, { ...state, status: 'exited' });
}
