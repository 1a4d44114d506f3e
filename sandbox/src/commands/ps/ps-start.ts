import { startAgain } from '../../deploy/deploy.ts';
import { Exit, type SandboxCommand } from '../../machine/call.ts';
import { stateOf } from '../../machine/containers.ts';
import { configureSite } from '../../machine/site.ts';

export const psStart: SandboxCommand = {
  name: 'ps:start',
  run: async (call) => {
    const app = call.app(call.words[0]);
    if (app.deployedAtSeconds === null) {
      call.warn(`App ${app.name} has not been deployed`);
      throw new Exit(0);
    }
    const ids = Object.values(app.containers);
    if (ids.length > 0 && ids.every((id) => stateOf(call.state.paths, id)?.status === 'running')) {
      call.warn(`App ${app.name} already running`);
      call.say(`Ensuring network configuration is in sync for ${app.name}`);
      return configureSite(call, app);
    }
    call.warn('App has been detected as not running, releasing');
    await startAgain(call, app.name);
    call.say(`Ensuring network configuration is in sync for ${app.name}`);
    await configureSite(call, call.app(app.name));
  },
};
