import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
  commit?: string;
  command?: string;
};

/** The version of this console: the one in the project's package.json. */
export const version: string = manifest.version;

/** How a person starts this program, as messages say it: a release names its own command. */
export const command: string = manifest.command ?? 'npm start --';

/** The commit of the sources: a release names its own, a checkout is asked. Null where nobody knows. */
export const commit: string | null = manifest.commit ?? commitOfCheckout(root);

/** Reads what git keeps (gitrepository-layout(5)), because git need not be installed. */
export function commitOfCheckout(folder: string): string | null {
  try {
    const git = gitFolder(folder);
    const head = readFileSync(join(git, 'HEAD'), 'utf8').trim();
    if (!head.startsWith('ref: ')) return commitIn(head);
    const ref = head.slice('ref: '.length);
    const common = existsSync(join(git, 'commondir'))
      ? resolve(git, readFileSync(join(git, 'commondir'), 'utf8').trim())
      : git;
    if (existsSync(join(common, ref))) return commitIn(readFileSync(join(common, ref), 'utf8').trim());
    const packed = readFileSync(join(common, 'packed-refs'), 'utf8').split('\n');
    return commitIn(packed.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0] ?? '');
  } catch {
    return null;
  }
}

/** A worktree has a file in place of the folder. */
function gitFolder(folder: string): string {
  const place = join(folder, '.git');
  if (existsSync(join(place, 'HEAD'))) return place;
  return resolve(folder, readFileSync(place, 'utf8').trim().slice('gitdir: '.length));
}

// A function, because `commit` above is decided before a constant down here would be.
function commitIn(text: string): string | null {
  return /^[0-9a-f]{40,64}$/.test(text) ? text : null;
}
