import type { SandboxCommand } from '../program/call.ts';

export const version: SandboxCommand = {
  name: 'version',
  run: (call) => call.out('dokku version 0.38.27'),
};

export const versionFlag: SandboxCommand = { ...version, name: '--version' };
