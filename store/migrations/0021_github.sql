-- A visit to GitHub's page that has not come back: its state stands here as a hash, so that the table lets nobody in. It works
-- once, for its purpose, and for the browser or the session that began it.
create table github_visits (
  state_hash bytea primary key,
  purpose text not null check (purpose in ('sign-in', 'link')),
  -- Of a visit that signs in: the hash of the browser's cookie.
  browser_hash bytea,
  -- Of a visit that links an account.
  owner_id uuid references auth."user" (id) on delete cascade,
  session_id uuid,
  expires_at bigint not null,
  check ((purpose = 'sign-in') = (browser_hash is not null)),
  check ((purpose = 'link') = (owner_id is not null and session_id is not null))
);
create index github_visits_expiry on github_visits (expires_at);
create index github_visits_owner on github_visits (owner_id);

-- GitHub identifies a person by a number: names change hands. One person there is one person here.
create unique index linked_accounts_github on linked_accounts ((facts ->> 'host'), (facts ->> 'githubId'))
  where service = 'github';

-- The repositories of a linked account, as GitHub told them last. Two persons may see the same one, so that each has a row.
create table repositories (
  account_id uuid not null,
  owner_id uuid not null,
  -- GitHub's number, which stays when the repository is renamed.
  id bigint not null,
  page integer not null,
  full_name text not null,
  private boolean not null,
  language text,
  description text,
  url text not null,
  default_branch text not null,
  archived boolean not null,
  can_push boolean not null,
  pushed_at bigint,
  primary key (owner_id, id),
  foreign key (account_id, owner_id) references linked_accounts (id, owner_id) on delete cascade
);
create index repositories_account on repositories (account_id);

-- The pages of that list. A page whose entity tag is the same at GitHub is not sent again.
create table repository_pages (
  account_id uuid not null,
  owner_id uuid not null,
  page integer not null,
  etag text,
  is_last boolean not null,
  read_at bigint not null,
  primary key (account_id, page),
  foreign key (account_id, owner_id) references linked_accounts (id, owner_id) on delete cascade
);

-- GitHub's number of the app's repository, where the console knows it.
alter table apps add column repository_id bigint;

-- What the console has set up so that a push to the repository deploys the app, part by part: each part is recorded when it is done.
create table continuous_deployments (
  app_id uuid primary key references apps (id) on delete cascade,
  owner_id uuid not null references auth."user" (id) on delete cascade,
  repository text not null,
  branch text not null,
  -- The name and fingerprint of the public key on the server.
  key_name text,
  fingerprint text,
  secret_set_at bigint,
  -- The commit or the pull request with the workflow.
  commit_url text,
  pull_url text,
  created_at bigint not null
);
create index continuous_deployments_owner on continuous_deployments (owner_id);
