// Commands that no feature of the console sends. The checks send them to bring a host into a state that the console reads, and to
// leave the host as it was.
import { z } from 'zod';
import { type Command, dokku } from '../src/command.ts';
import type { AppName, Outcome, SshKeyName, storage } from '../src/index.ts';

export function setPorts(
  app: AppName,
  ...mappings: readonly `${'http' | 'https'}:${number}:${number}`[]
): Command {
  return dokku('ports:set', app, ...mappings);
}

export function setDeployBranch(app: AppName, branch: string): Command {
  return dokku('git:set', app, 'deploy-branch', branch);
}

export function certificateReport(app: AppName): Command {
  return dokku('letsencrypt:report', app, '--format', 'json');
}

export function readEmail(outcome: Outcome): string {
  return emailSchema.parse(JSON.parse(outcome.stdout))['computed-email'];
}

const emailSchema = z.object({ 'computed-email': z.string() });

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

/** Keeps the folder. */
export function destroyStorageEntry(name: string): Command {
  return dokku('storage:destroy', name, '--force');
}

/** Root only. Prints nothing, also for an absent name. */
export function removeKey(name: SshKeyName): Command {
  return dokku('ssh-keys:remove', name);
}
