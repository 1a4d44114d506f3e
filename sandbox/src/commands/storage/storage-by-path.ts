import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import type { Call, SandboxCommand } from '../../machine/call.ts';
import { readFlags } from '../../machine/flags.ts';
import type { App } from '../../machine/state.ts';
import { folderOf, ownerId } from './storage-folder.ts';

/** Storage as in Dokku before 0.38, which later versions still support: folders without entries, mounted as `host:container`. */
export const storageEnsureDirectory: SandboxCommand = {
  name: 'storage:ensure-directory',
  run: (call) => {
    if (call.knows('0.38.0'))
      call.warn("Deprecated: please use 'storage:create' instead of 'storage:ensure-directory'");
    const { flags, plain } = readFlags(call, { chown: { value: true } });
    const [name = ''] = plain;
    if (name === '') call.fail('Please specify a directory to create');
    if (!/^[A-Za-z0-9_-]+$/.test(name))
      call.fail('Directory can only contain the following set of characters: [A-Za-z0-9_-]');
    const id = ownerId(call, flags.get('chown'));
    call.say(`Ensuring ${folderOf(name)} exists`);
    mkdirSync(call.state.paths.storage(name), { recursive: true });
    if (id !== null) call.detail(`Setting directory ownership to ${id}:${id}`);
    call.detail('Directory ready for mounting');
  },
};

export function mountByPath(call: Call, app: App, text: string): void {
  const mount = readPaths(call, text);
  if (isMounted(call, app, text)) call.fail('Mount path already exists.');
  const { storage } = call.state.settings();
  if (!storage.some(({ name }) => name === mount.name)) {
    call.state.change((settings) => {
      settings.storage.push({ name: mount.name, owner: '', hostPath: mount.hostPath });
    });
  }
  call.state.changeApp(app.name, (next) => void next.mounts.push(mount));
}

export function unmountByPath(call: Call, app: App, text: string): void {
  const { name, containerPath } = readPaths(call, text);
  if (!isMounted(call, app, text)) call.fail('Mount path does not exist.');
  call.state.changeApp(app.name, (next) => {
    next.mounts = next.mounts.filter((each) => each.name !== name || each.containerPath !== containerPath);
  });
}

/** Dokku before 0.37.5 compares only the start of a mount, so with `/a:/app/storage` it also finds `/a:/app/s`. */
function isMounted(call: Call, app: App, text: string): boolean {
  const lines = app.mounts.map(({ hostPath, containerPath }) => `${hostPath}:${containerPath}`);
  return lines.some((line) => (call.knows('0.37.5') ? line === text : line.startsWith(text)));
}

function readPaths(call: Call, text: string) {
  const twoPaths = 'Storage path must be two valid paths divided by colon.';
  if (text.startsWith('/')) {
    if (!/^\/.*:\//.test(text)) call.fail(twoPaths);
  } else if (!/^[a-zA-Z0-9][a-zA-Z0-9_.-]+:\//.test(text)) {
    call.fail(
      `Volume name must be two characters or more. Volume name must not contain invalid characters. ${twoPaths}`,
    );
  }
  const [hostPath = '', containerPath = ''] = text.split(':');
  const hashed = hostPath.startsWith('/') ? hostPath : `vol:${hostPath}`;
  // The name that Dokku 0.38 gives to this mount.
  const name = `legacy-${createHash('sha1').update(hashed).digest('hex').slice(0, 10)}`;
  return { name, hostPath, containerPath };
}
