import { type Command, hostCommand, type Outcome } from '../command.ts';
import { folderOf, type StorageName, storageNameSchema } from '../commands/storage.ts';

/**
 * The name of a folder that can be removed: one that lies directly in Dokku's folder for storage. Null for every other folder of
 * the server, for a folder inside another, and for a Docker volume.
 */
export function removableName(hostPath: string): StorageName | null {
  const name = storageNameSchema.safeParse(hostPath.slice(hostPath.lastIndexOf('/') + 1));
  return name.success && folderOf(name.data) === hostPath ? name.data : null;
}

/**
 * Removes a storage folder with everything in it, as root, because containers write under accounts of their own. An absent folder
 * counts as removed. The account dokku may replace every folder beneath /var/lib/dokku by a link, so the program goes there step
 * by step, checks where it stands and removes the name from there. It never leaves the file system of the folder.
 */
export function removeFolder(name: StorageName): Command {
  return hostCommand(['sh', '-s', '--', name], { needsRoot: true, stdin: program });
}

/** `link`: another account has put a link or a file in the folder's place; nothing was removed. */
export function readRemoval({ exitCode }: Outcome): 'removed' | 'link' | 'failed' {
  if (exitCode === 0) return 'removed';
  return exitCode === planted ? 'link' : 'failed';
}

/** EX_NOPERM of sysexits.h. */
const planted = 77;

/** Dokku's own name for its folder is DOKKU_LIB_ROOT. rm(1) removes a link itself and follows none inside a folder. */
const program = `set -eu
name=$1
cd -P "\${DOKKU_LIB_ROOT:-/var/lib/dokku}"
top=$(pwd -P)
cd -P data/storage
if [ "$(pwd -P)" != "\${top%/}/data/storage" ]; then
  echo "$top/data/storage is a link: nothing was removed" >&2
  exit ${planted}
fi
if [ -L "$name" ] || { [ -e "$name" ] && [ ! -d "$name" ]; }; then
  echo "$name is no folder: nothing was removed" >&2
  exit ${planted}
fi
rm -rf --one-file-system -- "./$name"
`;
