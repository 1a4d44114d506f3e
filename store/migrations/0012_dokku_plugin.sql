-- The version of Homeport's own Dokku plugin on the server; null where none answers.
alter table servers add column dokku_plugin text;

-- What a server told of an app when it was asked last, by part and as JSON: a page shows it before anything is asked again.
-- Values of variables are not among the parts.
create table readings (
  app_id uuid not null references apps (id) on delete cascade,
  owner_id uuid not null references auth."user" (id) on delete cascade,
  part text not null check (part in ('deploys', 'resources', 'system', 'storage', 'readme')),
  told text not null,
  read_at bigint not null,
  primary key (app_id, part)
);
create index readings_owner on readings (owner_id);
