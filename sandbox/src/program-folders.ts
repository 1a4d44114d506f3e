import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const machineFolders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** The programs that only the sandbox may answer for: a machine with a real Dokku would answer in its place. */
const hidden = ['dokku'];

/**
 * The folders of the machine's programs for a sandbox's PATH. A folder with a hidden program is replaced by a folder of links to
 * all its other programs, so that a sandbox without Dokku has none on any machine.
 */
export function programFolders(root: string, folders: readonly string[] = machineFolders): string[] {
  return folders.map((folder, index) => {
    const programs = namesIn(folder);
    if (!hidden.some((name) => programs.includes(name))) return folder;
    const links = join(root, 'programs', String(index));
    rmSync(links, { recursive: true, force: true });
    mkdirSync(links, { recursive: true });
    for (const name of programs)
      if (!hidden.includes(name)) symlinkSync(join(folder, name), join(links, name));
    return links;
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
