-- stage: expand
-- What a person has muted until a moment, in epoch milliseconds: an incident, a server with its apps, or an app. Unlike a switch in `notice_mutes`, news of it is
-- kept and shown, and what still goes on when the mute ends is sent then.
create table notice_timed_mutes (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth."user" (id) on delete cascade,
  thread_id uuid references notice_threads (id) on delete cascade,
  server_id uuid references servers (id) on delete cascade,
  app_id uuid references apps (id) on delete cascade,
  ends_at bigint not null,
  check (num_nonnulls(thread_id, server_id, app_id) = 1),
  unique nulls not distinct (thread_id, server_id, app_id)
);
create index notice_timed_mutes_owner on notice_timed_mutes (owner_id);
create index notice_timed_mutes_server on notice_timed_mutes (server_id);
create index notice_timed_mutes_app on notice_timed_mutes (app_id);

-- The news was raised while its subject was muted.
alter table notices add column muted boolean not null default false;

-- Until when an incident is muted; null where it is not.
create function muted_until(thread uuid, server uuid, app uuid, moment bigint) returns bigint language sql stable as $$
  select max(m.ends_at) from notice_timed_mutes m
  where m.ends_at > moment and (m.thread_id = thread or m.server_id = server or m.app_id = app)
$$;
