import type { SandboxCommand } from '../program/call.ts';
import { readFlags } from '../program/flags.ts';

export const appsExists: SandboxCommand = {
  name: 'apps:exists',
  run: (call) => void call.app(readFlags(call, {}).plain[0]),
};
