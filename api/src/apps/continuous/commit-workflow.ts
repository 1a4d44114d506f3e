import { proposalBranch, workflowPath } from '@homeport/contract/github/facts';
import { z } from 'zod';
import type { Ask } from '../../github/client.ts';
import { GithubFailure } from '../../github/refusal.ts';
import { branchAnswer, linkSchema, read, readFile, readIfThere, repositoryPath } from './repository.ts';

export type Committed =
  /** The branch has the file already, letter for letter. */
  | { kind: 'there' }
  | { kind: 'committed'; url: string }
  /** The branch takes changes by pull request only; this one waits. */
  | { kind: 'proposed'; url: string };

type Wanted = { repository: string; branch: string; longname: string; workflow: string };

const commitAnswer = z.object({ commit: z.object({ html_url: linkSchema }) });
const pullAnswer = z.object({ html_url: linkSchema });

/**
 * Commits the workflow to the default branch, or proposes it where the branch is protected. Rules of a branch do not all show
 * beforehand, so the commit is tried first.
 */
export async function commitWorkflow(ask: Ask, wanted: Wanted): Promise<Committed> {
  try {
    const url = await putFile(ask, wanted, wanted.branch);
    return url === null ? { kind: 'there' } : { kind: 'committed', url };
  } catch (error) {
    if (!isProtection(error)) throw error;
    return { kind: 'proposed', url: await propose(ask, wanted) };
  }
}

/** Returns the address of the commit; null if the branch has the file already. */
async function putFile(
  ask: Ask,
  { repository, longname, workflow }: Wanted,
  branch: string,
): Promise<string | null> {
  const now = await readFile(ask, repository, { path: workflowPath, branch });
  if (now?.text === workflow) return null;
  const answer = await ask({
    method: 'PUT',
    path: repositoryPath(repository, 'contents', workflowPath),
    body: {
      message: `Deploy ${longname} with each push`,
      content: Buffer.from(workflow).toString('base64'),
      branch,
      ...(now && { sha: now.sha }),
    },
    reply: commitAnswer,
  });
  return answer.kind === 'read' ? answer.body.commit.html_url : null;
}

/** The words of branch protection and of rulesets. A stale `sha` answers 409 too. */
function isProtection(error: unknown): boolean {
  if (!(error instanceof GithubFailure)) return false;
  const { refusal } = error;
  if (refusal.kind !== 'conflict' && refusal.kind !== 'forbidden' && refusal.kind !== 'invalid') return false;
  return ['pull request', 'required status check', 'rule violations', 'protected branch'].some((words) =>
    refusal.told.toLowerCase().includes(words),
  );
}

async function propose(ask: Ask, wanted: Wanted): Promise<string> {
  const { repository, branch, longname } = wanted;
  const { commit } = await read(ask, repositoryPath(repository, 'branches', branch), branchAnswer);
  const made = { ref: `refs/heads/${proposalBranch}`, sha: commit.sha };
  if ((await readIfThere(ask, repositoryPath(repository, 'branches', proposalBranch), branchAnswer)) === null)
    await ask({
      method: 'POST',
      path: repositoryPath(repository, 'git', 'refs'),
      body: made,
      reply: z.object({ ref: z.literal(made.ref) }),
    });
  await putFile(ask, wanted, proposalBranch);
  const [owner = ''] = repository.split('/');
  const pulls = repositoryPath(repository, 'pulls');
  const query = { head: `${owner}:${proposalBranch}`, state: 'open' };
  const [open] = (await readIfThere(ask, pulls, z.array(pullAnswer).max(100), query)) ?? [];
  if (open) return open.html_url;
  const answer = await ask({
    method: 'POST',
    path: pulls,
    body: {
      title: `Deploy ${longname} with each push`,
      head: proposalBranch,
      base: branch,
      body: 'Homeport has put a key on the server and its other half into the secrets of this repository. With this workflow each push deploys.',
    },
    reply: pullAnswer,
  });
  if (answer.kind !== 'read') throw new GithubFailure({ kind: 'unreadable' });
  return answer.body.html_url;
}
