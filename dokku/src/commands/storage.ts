import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Command, dokku, hostCommand, type Outcome } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import { readJson } from '../output.ts';

/** A DNS label of at most 45 characters, as Dokku 0.38 requires. */
export const storageNameSchema = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,43}[a-z0-9])?$/, 'Use lower-case letters, digits and hyphens, at most 45.')
  .brand<'StorageName'>();
export type StorageName = z.output<typeof storageNameSchema>;

/** An absolute path inside the container. A colon would end the path early in the mount option. */
export const containerPathSchema = z
  .string()
  .max(255)
  .regex(/^(?:\/[A-Za-z0-9._-]+)+$/, 'Enter an absolute path such as /app/storage.')
  .refine(
    (path) => !path.split('/').includes('..') && !path.split('/').includes('.'),
    'The path must not hold . or ..',
  )
  .brand<'ContainerPath'>();
export type ContainerPath = z.output<typeof containerPathSchema>;

/** Repeatable. `herokuish` is right for buildpacks, `false` leaves the owner alone (Dockerfile apps). */
export function create(
  name: StorageName,
  owner: 'herokuish' | 'heroku' | 'paketo' | 'root' | 'false',
): Command {
  return dokku('storage:create', name, '--chown', owner);
}

/** Repeatable. Takes effect after `ps.restart`. */
export function mount(app: AppName, name: StorageName, path: ContainerPath): Command {
  return dokku('storage:mount', app, name, '--container-dir', path);
}

/** What is mounted already: an absolute path on the server, or the name of a Docker volume. */
export const hostPathSchema = z
  .string()
  .max(255)
  .regex(/^(?:(?:\/[A-Za-z0-9._-]+)+|[A-Za-z0-9][A-Za-z0-9_.-]+)$/, 'Choose a folder that the app has.')
  .brand<'HostPath'>();
export type HostPath = z.output<typeof hostPathSchema>;

/**
 * The name of an app's first folder, the same each time. An app that the console did not make may have a longer name, or dots in
 * its name; the hash keeps two such apps from sharing a folder.
 */
export function nameFor(app: AppName): StorageName {
  const own = storageNameSchema.safeParse(app);
  if (own.success) return own.data;
  return hashedName(app);
}

/** A further folder of an app, for this place in it; the same each time. */
export function nameForPath(app: AppName, path: ContainerPath): StorageName {
  return hashedName(`${app}${path}`);
}

function hashedName(text: string): StorageName {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 10);
  const words = text.replaceAll(/[^a-z0-9]+/g, '-');
  return storageNameSchema.parse(`${words.slice(0, 34)}-${hash}`);
}

/** The folder of this name on the server, for storage with and without a name in Dokku. */
export function folderOf(name: StorageName): HostPath {
  return hostPathSchema.parse(`/var/lib/dokku/data/storage/${name}`);
}

/**
 * The command of Dokku before 0.38 in place of `create`. Repeatable. Dokku 0.38 takes it too and calls it deprecated. It allows
 * fewer owners than `create`, because Dokku before 0.37.5 can give a folder to no other account.
 */
export function ensureFolder(name: StorageName, owner: 'herokuish' | 'heroku' | 'false'): Command {
  return dokku('storage:ensure-directory', '--chown', owner, name);
}

/**
 * Every version knows this command. Not repeatable, so ask `list` first: a second mount ends with 1. Before 0.37.5 a path that
 * another mount of the folder begins with ends with 1 too. Takes effect after `ps.restart`.
 */
export function mountFolder(app: AppName, folder: HostPath, path: ContainerPath): Command {
  return dokku('storage:mount', app, `${folder}:${path}`);
}

/** Makes Dokku 0.38 forget a named folder, and keeps the folder. Fails while an app mounts it. */
export function destroyEntry(name: StorageName): Command {
  return dokku('storage:destroy', name, '--force');
}

export function list(app: AppName): Command {
  return dokku('storage:list', app, '--format', 'json');
}

export type Mount = {
  /** Null on Dokku before 0.38. Dokku 0.38 names a folder that was mounted by its path `legacy-` and ten digits. */
  readonly name: string | null;
  /** A value without a leading slash is the name of a Docker volume. */
  readonly hostPath: string;
  readonly containerPath: string;
};

const mountsSchema = z.array(
  // `volume_options`, which Dokku 0.35 always gives and 0.38 sometimes, are not read, because no page shows them.
  z.object({ entry_name: z.string().optional(), host_path: z.string(), container_path: z.string() }),
);

export function readList(outcome: Outcome): Mount[] {
  return readJson('storage:list', outcome.stdout, mountsSchema).map((row) => ({
    name: row.entry_name ?? null,
    hostPath: row.host_path,
    containerPath: row.container_path,
  }));
}

/**
 * The bytes that a folder on the server holds. Any account may ask. If the account may not read every folder inside, the command
 * fails and the printed sum is too small.
 */
export function use(hostPath: string, as: 'root' | 'anyone'): Command {
  return hostCommand(['du', '-sb', '--', hostPath], { needsRoot: as === 'root' });
}

/** Null when not everything was readable. */
export function readUse(outcome: Outcome): number | null {
  const found = outcome.exitCode === 0 ? /^(\d+)\t/.exec(outcome.stdout) : null;
  return found ? Number(found[1]) : null;
}
