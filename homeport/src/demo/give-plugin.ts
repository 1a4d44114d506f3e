import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pluginFiles } from '@homeport/dokku';
import type { SandboxHost } from '@homeport/sandbox';

/**
 * Puts Homeport's own Dokku plugin where an installation of the server would, in the version of this console. The caller enables it.
 * Schedules and backups need it, and a newcomer to the demo has not installed anything.
 */
export async function givePlugin(sandbox: Pick<SandboxHost, 'root'>): Promise<void> {
  const folder = join(sandbox.root, 'machine', pluginFiles.folder);
  await rm(folder, { recursive: true, force: true });
  for (const { path, text, executable } of pluginFiles.files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { mode: executable ? 0o755 : 0o644 });
  }
}
