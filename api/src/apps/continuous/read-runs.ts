import { runsShown, workflowPath } from '@homeport/contract/github/facts';
import type { WorkflowRun } from '@homeport/contract/github/schema';
import type { Owner } from '@homeport/store';
import { z } from 'zod';
import { askReading, type GithubDeps } from '../../github/account.ts';
import { linkSchema, readIfThere, repositoryPath } from './repository.ts';

const runsAnswer = z.object({
  workflow_runs: z
    .array(
      z.object({
        id: z.number().int(),
        display_title: z.string().transform((text) => text.slice(0, 200)),
        status: z.string().nullable(),
        conclusion: z.string().nullable(),
        html_url: linkSchema,
        created_at: z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
      }),
    )
    .max(100),
});

/** The last runs of the workflow, newest first. None before GitHub has seen the file. */
export async function readRuns(deps: GithubDeps, owner: Owner, repository: string): Promise<WorkflowRun[]> {
  return askReading(deps, owner, 'list the runs', async (ask) => {
    const file = workflowPath.split('/').at(-1) ?? '';
    const at = repositoryPath(repository, 'actions', 'workflows', file, 'runs');
    const answer = await readIfThere(ask, at, runsAnswer, { per_page: String(runsShown) });
    return (answer?.workflow_runs ?? []).map((run) => ({
      id: run.id,
      title: run.display_title,
      state: stateOf(run),
      url: run.html_url,
      startedAt: run.created_at,
    }));
  });
}

/** GitHub has more words: `requested`, `waiting` and `pending` have not begun, `timed_out` and others failed. */
function stateOf({
  status,
  conclusion,
}: {
  status: string | null;
  conclusion: string | null;
}): WorkflowRun['state'] {
  if (status === 'in_progress') return 'running';
  if (status !== 'completed') return 'queued';
  if (conclusion === 'success') return 'succeeded';
  return conclusion === 'cancelled' || conclusion === 'skipped' ? 'cancelled' : 'failed';
}
