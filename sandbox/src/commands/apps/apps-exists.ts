import type { SandboxCommand } from '../../machine/call.ts';
import { readFlags } from '../../machine/flags.ts';

export const appsExists: SandboxCommand = {
  name: 'apps:exists',
  run: (call) => void call.app(readFlags(call, {}).plain[0]),
};
