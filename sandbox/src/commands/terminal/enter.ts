import { spawn } from 'node:child_process';
import { Exit, type SandboxCommand } from '../../machine/call.ts';
import { containerOf, stateOf } from '../../machine/containers.ts';
import { hasTerminal, onTerminal } from './on-terminal.ts';

export const enter: SandboxCommand = {
  name: 'enter',
  run: async (call) => {
    const [name, process, ...words] = call.words;
    const app = call.app(name);
    const { paths } = call.state;
    const id = Object.entries(app.containers).find(
      ([each]) => each === process || each === `${process}.1`,
    )?.[1];
    const container = id === undefined ? undefined : containerOf(paths, id);
    if (!container || id === undefined || stateOf(paths, id)?.status !== 'running')
      return call.fail(`No container found for process type ${process ?? ''}`);
    await call.pause(700);
    const [program = '/bin/bash', ...rest] = words;
    const code = hasTerminal()
      ? await onTerminal(container, [program, ...rest], 'exec')
      : await new Promise<number>((resolve) => {
          const child = spawn(program, rest, {
            ...{ cwd: container.folder, env: container.env, stdio: ['ignore', 'inherit', 'inherit'] },
          });
          child.once('error', () => resolve(127));
          child.once('close', (ended) => resolve(ended ?? 137));
        });
    if (code !== 0) throw new Exit(code);
  },
};
