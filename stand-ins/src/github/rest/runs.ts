import { type Answer, type Asked, tagged } from '../answer.ts';
import type { Repository, Run } from '../state.ts';
import { fullName, fullRepository, simpleUser } from './shapes.ts';

/** Newest first. */
export function listRuns(asked: Asked, repository: Repository): Answer {
  const perPage = Number(asked.query.get('per_page') ?? 30);
  const { runs } = repository;
  const shown = runs.slice(0, perPage).map((run) => runFacts(asked, repository, run));
  return tagged(asked, { status: 200, body: { total_count: runs.length, workflow_runs: shown } });
}

function runFacts(asked: Asked, repository: Repository, run: Run) {
  const url = `${asked.api}/repos/${fullName(repository)}/actions/runs/${run.id}`;
  const at = new Date(run.createdAt).toISOString();
  const { name: _name, ...whole } = fullRepository(asked, repository);
  const minimal = { ...whole, name: repository.name };
  return {
    id: run.id,
    name: 'Deploy',
    node_id: String(run.id),
    check_suite_id: run.id,
    check_suite_node_id: String(run.id),
    head_branch: run.branch,
    head_sha: run.commit,
    path: '.github/workflows/deploy.yml',
    run_number: run.number,
    run_attempt: 1,
    event: run.event,
    display_title: run.title,
    status: run.status,
    conclusion: run.conclusion,
    workflow_id: repository.id,
    url,
    html_url: `${asked.site}/${fullName(repository)}/actions/runs/${run.id}`,
    pull_requests: [],
    created_at: at,
    updated_at: at,
    run_started_at: at,
    actor: simpleUser(asked, repository.owner),
    triggering_actor: simpleUser(asked, repository.owner),
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: `${url}/suite`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    workflow_url: `${asked.api}/repos/${fullName(repository)}/actions/workflows/${repository.id}`,
    head_commit: {
      id: run.commit,
      tree_id: run.commit,
      message: run.title,
      timestamp: at,
      author: { name: repository.owner.login, email: 'noreply@example.com' },
      committer: { name: repository.owner.login, email: 'noreply@example.com' },
    },
    repository: minimal,
    head_repository: minimal,
  };
}
