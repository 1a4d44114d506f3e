import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Call, SandboxCommand } from '../machine/call.ts';
import { writeText } from '../machine/files.ts';

const keys =
  'attach-post-create, attach-post-deploy, bind-all-interfaces, initial-network, static-web-listener, tld';

export const networkSet: SandboxCommand = {
  name: 'network:set',
  run: (call) => {
    const [name, key = '', value = ''] = call.words;
    const app = call.app(name);
    if (!keys.split(', ').includes(key))
      call.fail(`Invalid property specified, valid properties include: ${keys}`);
    if (key === 'bind-all-interfaces') writeText(propertyOf(call, app.name), value);
    call.title(value === '' ? `Unsetting ${key}` : `Setting ${key} to ${value}`);
  },
};

/** Dokku's own file of the property. */
const propertyOf = (call: Call, app: string) => join(call.state.paths.network, app, 'bind-all-interfaces');

/** The install step of Dokku's plugin `network`, which each `plugin:install` runs: an undecided app is published. */
export function publishUndecided(call: Call): void {
  for (const name of call.state.appNames()) {
    const property = propertyOf(call, name);
    if (existsSync(property)) continue;
    call.detail("Setting network property 'bind-all-interfaces' to true");
    writeText(property, 'true');
  }
}
