import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Call, Exit, type SandboxCommand } from '../../machine/call.ts';
import { type Container, createContainer, filesOf, stamp } from '../../machine/containers.ts';
import { writeState } from '../../machine/files.ts';
import { processesWith, signal, startTicksOf } from '../../machine/processes.ts';
import { hasTerminal, onTerminal } from '../terminal/on-terminal.ts';
import { oneOffContainer } from './one-off-container.ts';
import { readRun } from './run-words.ts';

export const run: SandboxCommand = {
  name: 'run',
  run: async (call) => {
    const { app, words } = readRun(call);
    await call.pause(1_500);
    // A shell that reads nothing.
    if (words.length === 0) return;
    const container = await createContainer(call.state.paths, oneOffContainer(call, app, words));
    const onTty = hasTerminal() && !call.words.includes('--no-tty');
    const exitCode = onTty
      ? await attendOnTerminal(call, container, words)
      : await attend(call, container, words);
    rmSync(call.state.paths.container(container.id), { recursive: true, force: true });
    if (exitCode !== 0) throw new Exit(exitCode);
  },
};

/** Runs the words, which read nothing, and passes SIGTERM on to them like Docker's client. */
function attend(call: Call, container: Container, [program = '', ...rest]: string[]): Promise<number> {
  const child = spawn(program, rest, {
    cwd: container.folder,
    env: container.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  process.on('SIGTERM', () => void (child.pid && signal(-child.pid, 'SIGTERM')));
  noteStart(call, container, child);
  pass(call, container, child);
  return new Promise((resolve) => {
    child.once('error', () => {
      call.err(
        `Error response from daemon: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "${program}": executable file not found in $PATH: unknown`,
      );
      resolve(1);
    });
    child.once('close', (code, by) => resolve(code ?? (by === 'SIGTERM' ? 143 : 137)));
  });
}

/** Docker's client passes a hang-up on, so the container ends with its reader. */
async function attendOnTerminal(call: Call, container: Container, words: string[]): Promise<number> {
  process.on('SIGHUP', () => undefined);
  let terminal: number | undefined;
  process.on('SIGTERM', () => void (terminal && signal(terminal, 'SIGTERM')));
  const exitCode = await onTerminal(container, words, 'run', (pid) => {
    terminal = pid;
    noteStart(call, container, { pid });
  });
  for (const pid of processesWith(`PORT=${container.port}`)) signal(pid, 'SIGKILL');
  return exitCode;
}

function noteStart(call: Call, { id }: Container, { pid }: Pick<ChildProcess, 'pid'>): void {
  if (pid === undefined) return;
  writeState(filesOf(call.state.paths, id).state, {
    ...{ status: 'running', supervisor: process.pid, supervisorTicks: startTicksOf(process.pid) },
    ...{ group: pid, startedAt: stamp(), exitCode: 0, restarts: 0 },
  });
}

/** Both streams, and their lines in the container's log. A command whose reader has left goes on. */
function pass(call: Call, { id }: Container, { stdout, stderr }: ChildProcess): void {
  const { log } = filesOf(call.state.paths, id);
  let left = false;
  for (const [stream, from] of [
    [1, stdout],
    [2, stderr],
  ] as const) {
    if (!from) continue;
    createInterface({ input: from }).on('line', (line) => appendFileSync(log, `${stamp()} ${line}\n`));
    from.setEncoding('utf8').on('data', (text: string) => {
      if (left) return;
      try {
        call.write(stream, text);
      } catch (error) {
        if (!(error instanceof Exit)) throw error;
        left = true;
      }
    });
  }
}
