import { z } from 'zod';
import { type Answer, type Asked, accessTo, notFound, refuse } from '../answer.ts';
import type { Repository } from '../state.ts';
import { fullName, fullRepository, simpleUser } from './shapes.ts';

const bodySchema = z.object({ title: z.string(), head: z.string(), base: z.string(), body: z.string() });

export function addPull(asked: Asked, repository: Repository): Answer {
  const { title, head, base, body } = bodySchema.parse(asked.body);
  if (!accessTo(asked, repository)?.push) return notFound();
  if (!repository.branches.has(head) || !repository.branches.has(base))
    return refuse(422, 'Validation Failed');
  if (repository.pulls.some((pull) => pull.head === head && pull.state === 'open'))
    return refuse(422, 'Validation Failed');
  const pull: Pull = { number: repository.pulls.length + 1, title, head, base, body, state: 'open' };
  repository.pulls.push(pull);
  const counted = {
    merged: false,
    mergeable: null,
    mergeable_state: 'unknown',
    merged_by: null,
    comments: 0,
    review_comments: 0,
    maintainer_can_modify: false,
    commits: 1,
    additions: 1,
    deletions: 0,
    changed_files: 1,
  };
  return { status: 201, body: { ...pullFacts(asked, repository, pull), ...counted } };
}

export function listPulls(asked: Asked, repository: Repository): Answer {
  const head = asked.query.get('head')?.split(':').at(-1);
  const state = asked.query.get('state') ?? 'open';
  const found = repository.pulls.filter(
    (pull) => pull.state === state && (head === undefined || pull.head === head),
  );
  return { status: 200, body: found.map((pull) => pullFacts(asked, repository, pull)) };
}

type Pull = Repository['pulls'][number];

function pullFacts(asked: Asked, repository: Repository, { number, title, head, base, body, state }: Pull) {
  const url = `${asked.api}/repos/${fullName(repository)}/pulls/${number}`;
  const page = `${asked.site}/${fullName(repository)}/pull/${number}`;
  const issue = `${asked.api}/repos/${fullName(repository)}/issues/${number}`;
  const now = new Date().toISOString();
  const user = simpleUser(asked, asked.grant.person);
  const end = (ref: string) => ({
    label: `${repository.owner.login}:${ref}`,
    ref,
    sha: repository.branches.get(ref)?.commit ?? '',
    user: simpleUser(asked, repository.owner),
    repo: fullRepository(asked, repository),
  });
  const link = (href: string) => ({ href });
  return {
    id: repository.id * 1_000 + number,
    node_id: String(number),
    url,
    number,
    title,
    body,
    state,
    locked: false,
    user,
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    issue_url: issue,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${url}/comments{/number}`,
    comments_url: `${issue}/comments`,
    statuses_url: `${url}/statuses`,
    created_at: now,
    updated_at: now,
    closed_at: null,
    merged_at: null,
    merge_commit_sha: null,
    assignee: null,
    labels: [],
    milestone: null,
    auto_merge: null,
    author_association: 'OWNER',
    head: end(head),
    base: end(base),
    _links: {
      self: link(url),
      html: link(page),
      issue: link(issue),
      comments: link(`${issue}/comments`),
      review_comments: link(`${url}/comments`),
      review_comment: link(`${url}/comments{/number}`),
      commits: link(`${url}/commits`),
      statuses: link(`${url}/statuses`),
    },
  };
}
