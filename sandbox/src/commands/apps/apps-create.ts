import type { SandboxCommand } from '../program/call.ts';
import { createApp } from '../program/create-app.ts';
import { readFlags } from '../program/flags.ts';

/** A second name is ignored, as on the real one. */
export const appsCreate: SandboxCommand = {
  name: 'apps:create',
  run: async (call) => {
    const [name] = readFlags(call, {}).plain;
    if (!name) return call.fail('Please specify an app to run the command on');
    await createApp(call, name);
  },
};
