import type { SandboxCommand } from '../../machine/call.ts';
import { readFlags } from '../../machine/flags.ts';
import { folderOf } from './storage-folder.ts';

export const storageListEntries: SandboxCommand = {
  name: 'storage:list-entries',
  since: '0.38.0',
  run: (call) => {
    const { flags } = readFlags(call, { format: { value: true } });
    const entries = call.state.settings().storage.map(({ name, owner, hostPath }) => ({
      name,
      scheduler: 'docker-local',
      host_path: hostPath ?? folderOf(name),
      ...(owner === '' ? {} : { chown: owner }),
      schema_version: 1,
    }));
    if (flags.get('format') === 'json') return call.out(JSON.stringify(entries, null, 2));
    call.say('Storage entries:');
    for (const entry of entries) call.detail(`${entry.name}\t${entry.scheduler}\t${entry.host_path}`);
  },
};

/** Forgets the entry and keeps its folder. */
export const storageDestroy: SandboxCommand = {
  name: 'storage:destroy',
  since: '0.38.0',
  run: (call) => {
    const name = readFlags(call, {}).plain[0] ?? '';
    const { storage } = call.state.settings();
    if (!storage.some((entry) => entry.name === name)) call.fail(`storage entry "${name}" does not exist`);
    const users = call.state
      .appNames()
      .filter((app) => call.state.app(app)?.mounts.some((mount) => mount.name === name));
    if (users.length > 0) {
      call.fail(`storage entry "${name}" is still mounted by app(s): ${users.join(', ')}`);
    }
    if (!call.force) {
      call.write(1, '> ');
      call.warn('WARNING: Potentially Destructive Action');
      call.warn(`This command will destroy storage entry ${name}.`);
      call.warn(`To proceed, type "${name}"`);
      call.fail('EOF');
    }
    call.state.change((settings) => {
      settings.storage = storage.filter((entry) => entry.name !== name);
    });
    call.say(`Storage entry ${name} destroyed`);
  },
};
