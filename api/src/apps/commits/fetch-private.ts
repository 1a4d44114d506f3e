import { noSuchCommit } from '@homeport/contract/github/facts';
import type { Owner } from '@homeport/store';
import { askAs, type GithubDeps } from '../../github/account.ts';
import { type ArchiveDownload, fetchArchive } from '../../github/archive.ts';
import { ProblemError } from '../../http/problem.ts';
import { read, repositoryPath } from '../continuous/repository.ts';
import { findCommit, repositoryAnswer } from './read-commit.ts';

type Named = { repository: string; ref: string };

/** What GitHub tells the person of a repository. `unknown`: it tells nothing, and the problem says why. */
export type Visibility =
  | { kind: 'public' }
  | { kind: 'private' }
  | { kind: 'unknown'; problem: ProblemError };

/** Never fails: a public repository can be fetched without GitHub's answer and without a linked account. */
export async function readVisibility(
  deps: GithubDeps,
  owner: Owner,
  repository: string,
): Promise<Visibility> {
  try {
    return await askAs(deps, owner, 'say whether the repository is private', async (ask) => {
      const told = await read(ask, repositoryPath(repository), repositoryAnswer);
      return { kind: told.private ? 'private' : 'public' };
    });
  } catch (error) {
    if (error instanceof ProblemError) return { kind: 'unknown', problem: error };
    throw error;
  }
}

/**
 * Begins to fetch the archive of one commit with the person's own grant, which goes to GitHub alone. Throws `ProblemError` where there
 * is no such commit, or GitHub hands nothing over.
 */
export async function fetchPrivate(
  deps: GithubDeps,
  owner: Owner,
  { repository, ref }: Named,
  signal: AbortSignal,
): Promise<{ sha: string; archive: ArchiveDownload }> {
  const what = 'hand over the repository’s archive';
  const found = await askAs(deps, owner, what, async (ask, _account, askWhere) => {
    const commit = await findCommit(ask, repository, ref);
    if (!commit) return null;
    return { sha: commit.sha, address: await askWhere(repositoryPath(repository, 'tarball', commit.sha)) };
  });
  if (!found) throw new ProblemError('remote_failed', noSuchCommit);
  return { sha: found.sha, archive: await fetchArchive(deps.settings, found.address, signal) };
}
