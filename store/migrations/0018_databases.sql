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
  state text not null default 'unknown'
    check (state in ('running', 'paused', 'exited', 'missing', 'created', 'restarting', 'unknown')),
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
  unique (server_id, type, longname),
  -- For the links, which have the owner of their database.
  unique (id, owner_id)
);
create index databases_owner on databases (owner_id, created_at);

-- An app on the same server that the database is linked to, by its name in Dokku: Homeport need not know the app.
create table links (
  database_id uuid not null,
  owner_id uuid not null,
  app_longname text not null,
  -- The variable of the app that holds the connection string; null while it was not read.
  variable text,
  primary key (database_id, app_longname),
  foreign key (database_id, owner_id) references databases (id, owner_id) on delete cascade
);
create index links_owner on links (owner_id);

-- The series of a database stands among those of its server's apps, under this name: no app has a slash in its name. The series
-- goes with the database, because another one may get its name.
create function series.database_name(type text, longname text) returns text language sql immutable as $$
  select type || '/' || longname
$$;
create function series.forget_database() returns trigger language plpgsql as $$
begin
  delete from series.app a using series.server s
    where s.server_id = old.server_id and a.server = s.id and a.name = series.database_name(old.type, old.longname);
  return null;
end $$;
create trigger forget_database after delete on databases for each row execute function series.forget_database();

-- The database that the work is about, and the lanes that the work takes beside its own: a link changes an app too.
alter table operations
  add column database_id uuid references databases (id) on delete set null,
  add column also_lanes text[] not null default '{}';
create index operations_database on operations (database_id, created_at desc);

-- The lanes that running and waiting operations have. Work with several lanes begins when all of them are free, so the table has
-- the rule that an index over one column could hold until now.
create table held_lanes (
  lane text primary key,
  operation_id uuid not null references operations (id) on delete cascade
);
create index held_lanes_operation on held_lanes (operation_id);

create function hold_lanes() returns trigger language plpgsql as $$
begin
  if new.state not in ('running', 'waiting') then
    delete from held_lanes where operation_id = new.id;
  elsif not exists (select from held_lanes where operation_id = new.id) then
    -- In one order everywhere, so that two operations that take the same lanes do not wait for each other.
    insert into held_lanes
      select distinct wanted, new.id from unnest(new.also_lanes || new.lane) as wanted order by wanted;
  end if;
  return null;
end $$;
insert into held_lanes select lane, id from operations where state in ('running', 'waiting');
create trigger hold_lanes_added after insert on operations for each row
  when (new.state in ('running', 'waiting')) execute function hold_lanes();
create trigger hold_lanes_changed after update of state on operations for each row
  when (new.state <> old.state) execute function hold_lanes();
drop index operations_lane;
