import { createApp } from '../../deploy/create-app.ts';
import type { SandboxCommand } from '../../machine/call.ts';
import { readFlags } from '../../machine/flags.ts';

/** Ignores a second name, like the real Dokku. */
export const appsCreate: SandboxCommand = {
  name: 'apps:create',
  run: async (call) => {
    const [name] = readFlags(call, {}).plain;
    if (!name) return call.fail('Please specify an app to run the command on');
    await createApp(call, name);
  },
};
