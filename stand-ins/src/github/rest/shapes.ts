import type { Asked } from '../answer.ts';
import { accessTo } from '../answer.ts';
import type { Person, Repository } from '../state.ts';

/** GitHub's records in full, because its document requires most fields. */
export function simpleUser({ api, site }: Pick<Asked, 'api' | 'site'>, person: Person) {
  const url = `${api}/users/${person.login}`;
  return {
    login: person.login,
    id: person.id,
    node_id: Buffer.from(`04:User${person.id}`).toString('base64'),
    avatar_url: person.avatarUrl ?? `${site}/avatars/u/${person.id}?v=4`,
    gravatar_id: '',
    url,
    html_url: `${site}/${person.login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: 'User',
    site_admin: false,
  };
}

const templates = {
  archive_url: '/{archive_format}{/ref}',
  assignees_url: '/assignees{/user}',
  blobs_url: '/git/blobs{/sha}',
  branches_url: '/branches{/branch}',
  collaborators_url: '/collaborators{/collaborator}',
  comments_url: '/comments{/number}',
  commits_url: '/commits{/sha}',
  compare_url: '/compare/{base}...{head}',
  contents_url: '/contents/{+path}',
  contributors_url: '/contributors',
  deployments_url: '/deployments',
  downloads_url: '/downloads',
  events_url: '/events',
  forks_url: '/forks',
  git_commits_url: '/git/commits{/sha}',
  git_refs_url: '/git/refs{/sha}',
  git_tags_url: '/git/tags{/sha}',
  issue_comment_url: '/issues/comments{/number}',
  issue_events_url: '/issues/events{/number}',
  issues_url: '/issues{/number}',
  keys_url: '/keys{/key_id}',
  labels_url: '/labels{/name}',
  languages_url: '/languages',
  merges_url: '/merges',
  milestones_url: '/milestones{/number}',
  notifications_url: '/notifications{?since,all,participating}',
  pulls_url: '/pulls{/number}',
  releases_url: '/releases{/id}',
  stargazers_url: '/stargazers',
  statuses_url: '/statuses/{sha}',
  subscribers_url: '/subscribers',
  subscription_url: '/subscription',
  tags_url: '/tags',
  teams_url: '/teams',
  trees_url: '/git/trees{/sha}',
  hooks_url: '/hooks',
} as const;

export const fullName = ({ owner, name }: Repository) => `${owner.login}/${name}`;

export function fullRepository(asked: Asked, repository: Repository) {
  const { api, site } = asked;
  const url = `${api}/repos/${fullName(repository)}`;
  const page = `${site}/${fullName(repository)}`;
  const access = accessTo(asked, repository) ?? { push: false, admin: false };
  const changed = new Date(repository.pushedAt).toISOString();
  return {
    id: repository.id,
    node_id: Buffer.from(`010:Repository${repository.id}`).toString('base64'),
    name: repository.name,
    full_name: fullName(repository),
    owner: simpleUser(asked, repository.owner),
    private: repository.private,
    html_url: page,
    description: repository.description,
    fork: false,
    url,
    ...Object.fromEntries(Object.entries(templates).map(([name, rest]) => [name, url + rest])),
    clone_url: `${page}.git`,
    git_url: `${page.replace(/^https?/, 'git')}.git`,
    ssh_url: `git@${new URL(site).hostname}:${fullName(repository)}.git`,
    svn_url: page,
    mirror_url: null,
    homepage: null,
    language: repository.language,
    forks_count: 0,
    stargazers_count: 0,
    watchers_count: 0,
    size: 1,
    default_branch: repository.defaultBranch,
    open_issues_count: 0,
    is_template: false,
    topics: [],
    has_issues: true,
    has_projects: false,
    has_wiki: false,
    has_pages: false,
    has_downloads: false,
    has_discussions: false,
    archived: repository.archived,
    disabled: false,
    visibility: repository.private ? 'private' : 'public',
    pushed_at: changed,
    created_at: changed,
    updated_at: changed,
    permissions: {
      admin: access.admin,
      maintain: access.admin,
      push: access.push,
      triage: access.push,
      pull: true,
    },
    license: null,
    forks: 0,
    open_issues: 0,
    watchers: 0,
    network_count: 0,
    subscribers_count: 0,
  };
}
