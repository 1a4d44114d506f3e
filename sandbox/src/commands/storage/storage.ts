import { mkdirSync } from 'node:fs';
import { type Call, Exit, type SandboxCommand } from '../../machine/call.ts';
import { readFlags } from '../../machine/flags.ts';
import { mountByPath, unmountByPath } from './storage-by-path.ts';
import { folderOf, ownerId } from './storage-folder.ts';

export const storageCreate: SandboxCommand = {
  name: 'storage:create',
  since: '0.38.0',
  run: (call) => {
    const { flags, plain } = readFlags(call, { chown: { value: true } });
    const [name = ''] = plain;
    if (!/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name)) {
      call.fail(
        `storage entry name "${name}" must be a DNS-1123 label (lowercase letters, digits, and dashes; cannot start or end with a dash)`,
      );
    }
    const exists = call.state.settings().storage.some((entry) => entry.name === name);
    if (exists) call.say(`Storage entry ${name} already exists, leaving in place`);
    else call.detail(`Created ${folderOf(name)}`);
    const owner = flags.get('chown') ?? 'herokuish';
    const id = ownerId(call, owner);
    if (id !== null) call.detail(`Setting directory ownership to ${id}:${id}`);
    mkdirSync(call.state.paths.storage(name), { recursive: true });
    if (!exists) call.state.change((settings) => void settings.storage.push({ name, owner }));
    call.say(`Storage entry ${name} created`);
  },
};

const containerDir = (call: Call) => (call.knows('0.38.0') ? { 'container-dir': { value: true } } : {});
const isByPath = (call: Call, name: string) => name.includes(':') || !call.knows('0.38.0');

/** Stores and reports the mount. The processes of a sandbox have no mounts. */
export const storageMount: SandboxCommand = {
  name: 'storage:mount',
  run: (call) => {
    const { flags, plain } = readFlags(call, containerDir(call));
    const [app, name = ''] = [call.app(plain[0]), plain[1]];
    if (isByPath(call, name)) return mountByPath(call, app, name);
    const path = flags.get('container-dir');
    if (!call.state.settings().storage.some((entry) => entry.name === name)) {
      call.fail(`storage entry "${name}" does not exist; create it first with \`dokku storage:create\``);
    }
    if (path === undefined)
      return call.fail('--container-dir is required when mounting a named storage entry');
    if (app.mounts.some((mount) => mount.name === name && mount.containerPath === path)) {
      return call.say(`Storage entry ${name} mount at ${path} on ${app.name} updated`);
    }
    call.state.changeApp(
      app.name,
      (next) => void next.mounts.push({ name, hostPath: folderOf(name), containerPath: path }),
    );
    call.say(`Storage entry ${name} mounted at ${path} on ${app.name}`);
  },
};

export const storageUnmount: SandboxCommand = {
  name: 'storage:unmount',
  run: (call) => {
    const { flags, plain } = readFlags(call, containerDir(call));
    const [app, name = ''] = [call.app(plain[0]), plain[1]];
    if (isByPath(call, name)) return unmountByPath(call, app, name);
    const path = flags.get('container-dir') ?? '';
    const kept = app.mounts.filter((mount) => mount.name !== name || mount.containerPath !== path);
    if (kept.length === app.mounts.length) {
      call.warn(`storage entry "${name}" is not mounted at "${path}" on app "${app.name}"`);
      throw new Exit(1);
    }
    call.state.changeApp(app.name, (next) => {
      next.mounts = kept;
    });
  },
};

export const storageList: SandboxCommand = {
  name: 'storage:list',
  run: (call) => {
    const { flags, plain } = readFlags(call, { format: { value: true } });
    const app = call.app(plain[0]);
    if (flags.get('format') === 'json') {
      const named = call.knows('0.38.0');
      const rows = app.mounts.map((mount) => ({
        ...(named ? { entry_name: mount.name } : {}),
        host_path: mount.hostPath,
        container_path: mount.containerPath,
        ...(named ? {} : { volume_options: '' }),
      }));
      return call.out(JSON.stringify(rows));
    }
    call.say(`${app.name} volume bind-mounts:`);
    for (const mount of app.mounts) call.detail(`${mount.hostPath}:${mount.containerPath}`);
  },
};
