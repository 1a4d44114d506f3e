import { redeploy } from '../../deploy/config.ts';
import type { SandboxCommand } from '../../machine/call.ts';
import { readFlags } from '../../machine/flags.ts';

export const configUnset: SandboxCommand = {
  name: 'config:unset',
  run: async (call) => {
    const { flags, plain } = readFlags(call, { 'no-restart': { value: false } });
    const [name, ...keys] = plain;
    const app = call.app(name);
    if (keys.length === 0) call.fail('At least one key must be given');
    for (const key of keys) {
      if (key in app.config) call.say(`Unsetting ${key}`);
      else call.say(`Skipping ${key}, it is not set in the environment`);
    }
    call.state.changeApp(app.name, (changed) => {
      for (const key of keys) delete changed.config[key];
    });
    if (!flags.has('no-restart') && keys.some((key) => key in app.config)) await redeploy(call, app.name);
  },
};
