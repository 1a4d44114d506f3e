-- The pair with which an app's server fetches the app's private repository. The server keeps the private half; here stand the public
-- half and its number at GitHub, so that it can be found there and removed. One app has one key, of one repository.
create table deploy_keys (
  app_id uuid primary key references apps (id) on delete cascade,
  owner_id uuid not null references auth."user" (id) on delete cascade,
  repository text not null,
  -- The name of the key at GitHub.
  title text not null,
  -- Null: the server has none, because GitHub refused it.
  public_key text,
  fingerprint text,
  -- GitHub's number of the key. Null: GitHub does not have it, as far as the console knows.
  github_id bigint,
  -- Why GitHub did not take the key, in words for the person.
  refusal text,
  created_at bigint not null
);
create index deploy_keys_owner on deploy_keys (owner_id);
