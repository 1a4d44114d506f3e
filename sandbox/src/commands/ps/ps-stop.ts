import { Exit, type SandboxCommand } from '../../machine/call.ts';
import { stopContainer } from '../../machine/containers.ts';
import { writeRoutes } from '../../machine/routes.ts';

export const psStop: SandboxCommand = {
  name: 'ps:stop',
  run: async (call) => {
    const app = call.app(call.words[0]);
    if (app.deployedAtSeconds === null) {
      call.warn(`App ${app.name} has not been deployed`);
      throw new Exit(0);
    }
    call.say(`Stopping ${app.name}`);
    await Promise.all(Object.values(app.containers).map((id) => stopContainer(call.state.paths, id)));
    call.state.changeApp(app.name, (next) => {
      next.stopped = true;
    });
    writeRoutes(call.state);
    call.say('Updated schedule file');
  },
};
