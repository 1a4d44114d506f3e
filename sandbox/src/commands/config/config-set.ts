import { setConfig } from '../../deploy/config.ts';
import type { SandboxCommand } from '../../machine/call.ts';
import { readFlags } from '../../machine/flags.ts';

export const configSet: SandboxCommand = {
  name: 'config:set',
  run: async (call) => {
    const { flags, plain } = readFlags(call, { 'no-restart': { value: false }, encoded: { value: false } });
    const [name, ...pairs] = plain;
    const app = call.app(name);
    if (pairs.length === 0) call.fail('At least one env pair must be given');
    const values = new Map<string, string>();
    for (const pair of pairs) {
      const at = pair.indexOf('=');
      if (at < 0) call.fail(`Invalid env pair: ${pair}`);
      const key = pair.slice(0, at);
      const value = pair.slice(at + 1);
      if (flags.has('encoded') && !/^[A-Za-z0-9+/]*={0,2}$/.test(value)) {
        call.fail(`illegal base64 data at input byte 0 for key '${key}'`);
      }
      values.set(key, flags.has('encoded') ? Buffer.from(value, 'base64').toString() : value);
    }
    await setConfig(call, app.name, values, flags.has('no-restart'));
  },
};
