import type { SandboxCommand } from '../machine/call.ts';

export const version: SandboxCommand = {
  name: 'version',
  run: (call) => call.out(`dokku version ${call.state.version()}`),
};

export const versionFlag: SandboxCommand = { ...version, name: '--version' };
