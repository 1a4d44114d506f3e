// Commands that no feature of the console sends. The checks send them to bring a host into a state that the console reads, and to
// leave the host as it was.
import { z } from 'zod';
import { type Command, dokku, hostCommand } from '../src/command.ts';
import type { AppName, Outcome, storage } from '../src/index.ts';

export function certificateReport(app: AppName): Command {
  return dokku('letsencrypt:report', app, '--format', 'json');
}

export function readEmail(outcome: Outcome): string {
  return emailSchema.parse(JSON.parse(outcome.stdout))['computed-email'];
}

const emailSchema = z.object({ 'computed-email': z.string() });

/** Names every type of the app at once, those of later deploys included. */
export function skipAllChecks(app: AppName): Command {
  return dokku('checks:skip', app);
}

export function setNginx(app: AppName, property: string, value: string | null): Command {
  return dokku('nginx:set', app, property, ...(value === null ? [] : [value]));
}

/** Whether nginx takes the configuration of the whole server as it lies on the disk. */
export function validateNginx(): Command {
  return dokku('nginx:validate-config');
}

export function unmountStorage(
  app: AppName,
  name: storage.StorageName,
  path: storage.ContainerPath,
): Command {
  return dokku('storage:unmount', app, name, '--container-dir', path);
}

export function unmountFolder(app: AppName, folder: storage.HostPath, path: storage.ContainerPath): Command {
  return dokku('storage:unmount', app, `${folder}:${path}`);
}

/** Dokku before 0.38 does not know the command. */
export function listStorageEntries(): Command {
  return dokku('storage:list-entries', '--format', 'json');
}

/** The whole report of ports, which costs the server ten times the list of them. */
export const reportPorts = {
  command: (app: AppName): Command => dokku('ports:report', app, '--format', 'json'),
  read(outcome: Outcome): { set: string; detected: string } {
    const { map, 'map-detected': detected } = portsSchema.parse(JSON.parse(outcome.stdout));
    return { set: map, detected };
  },
};

const portsSchema = z.object({ map: z.string(), 'map-detected': z.string() });

/** For the folder of a plugin, which is root’s. */
const asRoot = { needsRoot: true };

/** The names of all containers that Dokku made for the app, whatever their state. */
export function containersOf(app: AppName): Command {
  const filter = `label=com.dokku.app-name=${app}`;
  return hostCommand(['docker', 'ps', '--all', '--filter', filter, '--format', '{{.Names}}'], asRoot);
}

export function copyFolder(from: string, to: string): Command {
  return hostCommand(['cp', '-a', '-T', '--', from, to], asRoot);
}

export function moveFolder(from: string, to: string): Command {
  return hostCommand(['mv', '-T', '--', from, to], asRoot);
}

export function removeFolder(folder: string): Command {
  return hostCommand(['rm', '-rf', '--', folder], asRoot);
}

/** One line that tells the folder's files by their names and texts. */
export function digestFolder(folder: string): Command {
  const program = 'cd -P "$1" && find . -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum';
  return hostCommand(['sh', '-c', program, 'digest', folder], asRoot);
}
