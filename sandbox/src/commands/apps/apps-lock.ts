import { existsSync, rmSync } from 'node:fs';
import type { SandboxCommand } from '../../machine/call.ts';
import { writeText } from '../../machine/files.ts';
import { readFlags } from '../../machine/flags.ts';

/** This lock file stops nothing, as in the real Dokku: a deploy goes on and removes the file. */
export const appsLock: SandboxCommand = {
  name: 'apps:lock',
  run: (call) => {
    const { name } = call.app(readFlags(call, {}).plain[0]);
    if (!existsSync(call.state.paths.lock(name))) writeText(call.state.paths.lock(name), '0');
    call.say('Deploy lock created');
  },
};

export const appsLocked: SandboxCommand = {
  name: 'apps:locked',
  run: (call) => {
    const { name } = call.app(readFlags(call, {}).plain[0]);
    if (!existsSync(call.state.paths.lock(name))) call.fail('Deploy lock does not exist');
    call.out('Deploy lock exists');
  },
};

export const appsUnlock: SandboxCommand = {
  name: 'apps:unlock',
  run: (call) => {
    const path = call.state.paths.lock(call.app(readFlags(call, {}).plain[0]).name);
    if (!existsSync(path)) call.fail('Unable to remove deploy lock');
    call.warn('A deploy may be in progress.');
    call.warn('Removing the app lock will not stop in progress deploys.');
    rmSync(path, { force: true });
    call.say('Deploy lock removed');
  },
};
