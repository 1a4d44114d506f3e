import { appsListed } from '@homeport/contract/limits';
import { type AppName, appName, appNameSchema, apps, storage, storageFolder } from '@homeport/dokku';
import { z } from 'zod';
import { ProblemError } from '../../http/problem.ts';
import type { StepContext, StepOutcome } from '../../operations/definition.ts';
import type { OnApp } from './on-app.ts';

type Context = StepContext<OnApp & { storage: string[] }>;

/** A folder to remove: its name, and the names that Dokku 0.38 has for its mounts. */
const folderSchema = z.object({
  name: storage.storageNameSchema,
  entries: z.array(storage.storageNameSchema),
});
type Folder = z.output<typeof folderSchema>;

/**
 * Checks, before anything is destroyed, that each chosen folder belongs to the app alone. Throws `conflict`
 * and names the app that uses the folder too.
 */
export async function checkStorage(context: Context): Promise<undefined> {
  const app = appName(context.input.longname);
  const mounts = storage.readList(await context.run('apps', storage.list(app), { quiet: true }));
  const folders: Folder[] = [];
  for (const hostPath of new Set(context.input.storage)) {
    const name = storageFolder.removableName(hostPath);
    const own = mounts.filter((mount) => mount.hostPath === hostPath);
    if (name === null || own.length === 0)
      throw new ProblemError(
        'conflict',
        `${hostPath} is no storage folder of this app. Nothing was destroyed.`,
      );
    const entries = own.flatMap((mount) => storage.storageNameSchema.safeParse(mount.name).data ?? []);
    folders.push({ name, entries: [...new Set(entries)] });
  }
  const shared = await firstShared(context, app, folders);
  if (shared)
    throw new ProblemError(
      'conflict',
      `The app ${shared.by} uses ${storage.folderOf(shared.name)} too. Nothing was destroyed.`,
      { recovery: 'Destroy the app without this folder.' },
    );
  await context.remember({ storageFolders: folders });
  return undefined;
}

/**
 * Removes the checked folders and their entries, once the app is gone. Another app may have mounted a folder
 * since the check, so the step looks again; such a folder stays.
 */
export async function removeStorage(context: Context): Promise<StepOutcome | undefined> {
  const folders = z.array(folderSchema).parse(context.facts.storageFolders);
  const kept: string[] = [];
  for (const folder of folders) {
    const reason = await removeOne(context, folder);
    if (reason !== null) kept.push(`${storage.folderOf(folder.name)} stays: ${reason}.`);
  }
  return kept.length === 0 ? undefined : { state: 'warned', note: kept.join(' ') };
}

/** Returns why the folder stays; null if it was removed. */
async function removeOne(context: Context, folder: Folder): Promise<string | null> {
  const shared = await firstShared(context, appName(context.input.longname), [folder]);
  if (shared) return `the app ${shared.by} uses it now`;
  const ran = await context.run('root', storageFolder.removeFolder(folder.name), {
    accept: 'any',
    deadlineMs: 10 * 60_000,
    shown: `rm -rf ${storage.folderOf(folder.name)}`,
  });
  const end = storageFolder.readRemoval(ran);
  if (end === 'link') return 'a link or a file stands in its place';
  if (end === 'failed') return 'not all of it could be deleted, the log says why';
  // The entry of a folder that is gone is of no use. Dokku keeps an entry that an app still mounts.
  for (const entry of folder.entries)
    await context.run('apps', storage.destroyEntry(entry), { accept: 'any' });
  return null;
}

/**
 * The first of these folders that another app mounts, or mounts a part of. Asks every app of the server,
 * because only their own lists name what they mount.
 */
async function firstShared(
  context: Context,
  app: AppName,
  folders: readonly Folder[],
): Promise<{ name: storage.StorageName; by: string } | null> {
  const names = apps.readList(await context.run('apps', apps.list(), { quiet: true })).slice(0, appsListed);
  for (const other of names) {
    if (other === app || !appNameSchema.safeParse(other).success) continue;
    const listed = await context.run('apps', storage.list(appName(other)), { accept: [0, 20], quiet: true });
    if (listed.exitCode === 20) continue;
    const paths = storage.readList(listed).map(({ hostPath }) => `${hostPath.replace(/\/$/, '')}/`);
    const found = folders.find(({ name }) => {
      const folder = `${storage.folderOf(name)}/`;
      return paths.some((path) => path.startsWith(folder) || folder.startsWith(path));
    });
    if (found) return { name: found.name, by: other };
  }
  return null;
}
