import { setConfig } from '../../deploy/config.ts';
import type { SandboxCommand } from '../../machine/call.ts';
import { readFlags } from '../../machine/flags.ts';

export const configImport: SandboxCommand = {
  name: 'config:import',
  since: '0.37.0',
  run: async (call) => {
    const { flags, plain } = readFlags(call, { format: { value: true }, 'no-restart': { value: false } });
    const app = call.app(plain[0]);
    const text = (await call.stdin()) ?? '';
    if (flags.get('format') !== 'json') call.fail(`Unknown import format: ${flags.get('format') ?? ''}`);
    let values: unknown;
    try {
      values = JSON.parse(text);
    } catch {
      // Go's message as recorded for `nope`. For other texts only the character differs.
      call.fail(`invalid character '${text.charAt(1)}' in literal null (expecting 'u')`);
    }
    const pairs = Object.entries(values as Record<string, unknown>);
    if (pairs.length === 0) call.fail('No config vars to set');
    const odd = pairs.find(([, value]) => typeof value !== 'string');
    if (odd) call.fail(`json: cannot unmarshal ${typeof odd[1]} into Go value of type string`);
    call.say('Reading config vars from stdin');
    for (const [key, value] of pairs) call.say(`Setting config var ${key}=${String(value)}`);
    await setConfig(
      call,
      app.name,
      new Map(pairs.map(([key, value]) => [key, String(value)])),
      flags.has('no-restart'),
    );
  },
};
