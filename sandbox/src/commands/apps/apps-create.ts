import { createApp } from '../../deploy/create-app.ts';
import type { SandboxCommand } from '../../machine/call.ts';
import { readFlags } from '../../machine/flags.ts';

/** A second name is ignored, as on the real one. */
export const appsCreate: SandboxCommand = {
  name: 'apps:create',
  run: async (call) => {
    const [name] = readFlags(call, {}).plain;
    if (!name) return call.fail('Please specify an app to run the command on');
    await createApp(call, name);
  },
};
