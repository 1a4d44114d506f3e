-- A database service of Dokku. Its password and connection string are not here: they are read from the server when asked for.
create table databases (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth."user" (id) on delete cascade,
  server_id uuid not null references servers (id) on delete cascade,
  name text not null,
  longname text not null,
  -- The name of Dokku's plugin. The contract lists the types; a new one needs no change here.
  type text not null,
  -- Somebody stopped it.
  stopped boolean not null default false,
  -- The state of its container, as the server told it last.
  state text not null default 'unknown',
  image_version text,
  -- [{containerPort, address, hostPort}]; empty while it is not exposed.
  ports jsonb not null default '[]',
  exposure_fails boolean not null default false,
  memory_bytes bigint,
  data_bytes bigint,
  imported boolean not null default false,
  read_at bigint,
  created_at bigint not null,
  version integer not null default 1,
  -- Dokku's plugins of two types may use the same name.
  unique (server_id, type, longname)
);
create index databases_owner on databases (owner_id, created_at);

-- An app on the same server that the database is linked to, by its name in Dokku: Homeport need not know the app.
create table links (
  database_id uuid not null references databases (id) on delete cascade,
  owner_id uuid not null references auth."user" (id) on delete cascade,
  app_longname text not null,
  -- The variable of the app that holds the connection string; null while it was not read.
  variable text,
  primary key (database_id, app_longname)
);
create index links_owner on links (owner_id);

-- The database that the work is about. Its lane is the database on its server.
alter table operations add column database_id uuid references databases (id) on delete set null;
create index operations_database on operations (database_id, created_at desc);
