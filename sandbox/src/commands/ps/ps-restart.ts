import { restart } from '../../deploy/deploy.ts';
import { Exit, type SandboxCommand } from '../../machine/call.ts';

/** Prints everything on stdout, refusals too, like the real Dokku. */
export const psRestart: SandboxCommand = {
  name: 'ps:restart',
  run: async (call) => {
    call.mergeInto(null);
    const app = call.app(call.words[0]);
    if (app.deployedAtSeconds === null) {
      call.warn(`App ${app.name} has not been deployed`);
      throw new Exit(0);
    }
    await restart(call, app.name, call.words[1]);
  },
};
