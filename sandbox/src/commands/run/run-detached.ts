import type { SandboxCommand } from '../../machine/call.ts';
import { startContainer } from '../../machine/containers.ts';
import { nameOf } from '../../machine/inspect-container.ts';
import { oneOffContainer } from './one-off-container.ts';
import { readRun } from './run-words.ts';

export const runDetached: SandboxCommand = {
  name: 'run:detached',
  run: async (call) => {
    const { app, words } = readRun(call);
    await call.pause(1_500);
    call.out(nameOf(await startContainer(call.state.paths, oneOffContainer(call, app, words))));
  },
};
