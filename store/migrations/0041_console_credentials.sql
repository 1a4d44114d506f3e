-- Credentials of the console itself, which its owner enters on a page. Sealed as those of linked accounts are: api/src/sealing.
create table console_credentials (
  -- 'github_app'.
  name text primary key,
  -- The public part, which the owner's page shows.
  shown text not null,
  sealed bytea not null,
  changed_at bigint not null
);
