import { unsetConfig } from '../../deploy/config.ts';
import type { SandboxCommand } from '../../machine/call.ts';
import { readFlags } from '../../machine/flags.ts';

export const configUnset: SandboxCommand = {
  name: 'config:unset',
  run: async (call) => {
    const { flags, plain } = readFlags(call, { 'no-restart': { value: false } });
    const [name, ...keys] = plain;
    const app = call.app(name);
    if (keys.length === 0) call.fail('At least one key must be given');
    await unsetConfig(call, app.name, keys, flags.has('no-restart'));
  },
};
