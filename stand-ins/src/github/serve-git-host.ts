import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Repository, State } from './state.ts';

export const gitHostPath = '/_git-host/authorized_keys';

/** Holds the repositories as git has them on a disk, from the first time that a key is asked for. */
export type GitFolder = { path(): string; remove(): void };

export function makeGitFolder(): GitFolder {
  let made: string | null = null;
  return {
    path: () => {
      made ??= mkdtempSync(join(tmpdir(), 'github-git-host-'));
      return made;
    },
    remove: () => {
      if (made !== null) rmSync(made, { recursive: true, force: true });
    },
  };
}

/**
 * Answers an sshd that stands for GitHub's git host with the deploy keys, as lines of authorized_keys. Each key reads its own repository,
 * as it is at this moment, and gets GitHub's words for any other. Returns false for another path.
 */
export function serveGitHost(
  state: State,
  folder: GitFolder,
  path: string,
  response: ServerResponse,
): boolean {
  if (path !== gitHostPath) return false;
  const lines = state.repositories.flatMap((repository) =>
    repository.deployKeys.map(({ key }) => `restrict,command="${readerOf(folder, repository)}" ${key}\n`),
  );
  response.writeHead(200, { 'content-type': 'text/plain' }).end(lines.join(''));
  return true;
}

/** The program that a key starts. It compares the command line that the client sent, and runs none of it. */
function readerOf(folder: GitFolder, repository: Repository): string {
  const name = `${repository.owner.login}/${repository.name}`;
  const program = join(folder.path(), `${repository.id}.sh`);
  const place = join(folder.path(), String(repository.id));
  exportTo(place, repository);
  writeFileSync(
    program,
    `#!/bin/sh
case $SSH_ORIGINAL_COMMAND in
"git-upload-pack '${name}.git'" | "git-upload-pack '/${name}.git'") exec git -c safe.directory='*' upload-pack '${place}' ;;
esac
echo 'ERROR: Repository not found.' >&2
exit 1
`,
    { mode: 0o755 },
  );
  return program;
}

/** A bare repository. The objects lie there as git compresses them. */
function exportTo(place: string, { objects, branches, defaultBranch }: Repository): void {
  for (const part of ['objects', 'refs/heads']) mkdirSync(join(place, part), { recursive: true });
  writeFileSync(join(place, 'HEAD'), `ref: refs/heads/${defaultBranch}\n`);
  writeFileSync(join(place, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n');
  for (const [id, bytes] of objects) {
    mkdirSync(join(place, 'objects', id.slice(0, 2)), { recursive: true });
    writeFileSync(join(place, 'objects', id.slice(0, 2), id.slice(2)), bytes);
  }
  const refs = [...branches].map(([branch, { commit }]) => `${commit} refs/heads/${branch}\n`);
  writeFileSync(join(place, 'packed-refs'), refs.toSorted().join(''));
}
