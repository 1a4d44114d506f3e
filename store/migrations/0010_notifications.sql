-- What persons are told of, and the outbox by which it leaves. Times are epoch milliseconds. `store/src/notices/` reads and
-- writes these tables.

-- Regular looks at something, shared by all replicas. `since`: from then on, looks have followed each other without a gap.
create table notice_looks (
  what text primary key,
  looked_at bigint not null,
  since bigint not null
);

-- What a person does not want to be told of: one kind, or with the kind null everything of the server (and of its apps) or app.
create table notice_mutes (
  id integer generated always as identity primary key,
  server_id uuid references servers (id) on delete cascade,
  app_id uuid references apps (id) on delete cascade,
  kind text,
  check (num_nonnulls(server_id, app_id) = 1),
  unique nulls not distinct (server_id, app_id, kind)
);
create index notice_mutes_app on notice_mutes (app_id);

-- One incident of which a person is told: what is sent of it forms one thread.
create table notice_threads (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth."user" (id) on delete cascade,
  kind text not null,
  -- Which incident it is. An incident has one thread, whoever finds it and however often.
  incident text not null unique,
  server_id uuid references servers (id) on delete cascade,
  app_id uuid references apps (id) on delete cascade,
  started_at bigint not null,
  ended_at bigint,
  -- When a first sign said that it is over. A second sign has to follow.
  turned_at bigint
);
create index notice_threads_open on notice_threads (kind) where ended_at is null;
create index notice_threads_owner on notice_threads (owner_id);
create index notice_threads_server on notice_threads (server_id);
create index notice_threads_app on notice_threads (app_id);

create table notices (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity,
  thread_id uuid not null references notice_threads (id) on delete cascade,
  owner_id uuid not null references auth."user" (id) on delete cascade,
  event text not null,
  -- Tells events of one thread apart that have the same name: the days before a certificate's end.
  mark bigint not null,
  facts jsonb not null,
  created_at bigint not null,
  unique (thread_id, event, mark)
);
create index notices_owner on notices (owner_id, number desc);

-- The outbox. A claim is a later `due_at` and the next `version`: a claimer that dies is followed by another when `due_at` has
-- come, and what it still writes under the old version is not kept.
create table notice_messages (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity,
  owner_id uuid not null references auth."user" (id) on delete cascade,
  channel text not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'refused', 'unsent')),
  summary boolean not null,
  created_at bigint not null,
  due_at bigint not null,
  version integer not null default 1,
  attempts integer not null default 0,
  ended_at bigint,
  answer text
);
create index notice_messages_waiting on notice_messages (owner_id, channel, number) where state = 'waiting';
create index notice_messages_owner on notice_messages (owner_id, channel, ended_at);

-- By which message a notice leaves on a channel; null until that is decided.
create table notice_deliveries (
  notice_id uuid not null references notices (id) on delete cascade,
  channel text not null,
  owner_id uuid not null references auth."user" (id) on delete cascade,
  message_id uuid references notice_messages (id) on delete cascade,
  primary key (notice_id, channel)
);
create index notice_deliveries_undecided on notice_deliveries (owner_id, channel) where message_id is null;
create index notice_deliveries_message on notice_deliveries (message_id);

create function wants_notice(server uuid, app uuid, wanted text) returns boolean language sql stable as $$
  select not exists (
    select from notice_mutes m
    where m.app_id = app and (m.kind is null or m.kind = wanted)
      or m.server_id = server and (m.kind is null or app is null and m.kind = wanted))
$$;

-- Whether somebody was told of an incident that checks from outside found, or would have been, had they wanted that.
alter table incidents add column noticed boolean not null default false;
update incidents set noticed = true where ended_at is not null;
create index incidents_unnoticed on incidents (check_id) where not noticed;

-- When a page has shown how the operation ended, and which of its ends (`ended_at`) was told of: it can fail again.
alter table operations add column seen_at bigint, add column noticed_at bigint;
update operations set noticed_at = ended_at where ended_at is not null;
create index operations_failed on operations (ended_at) where state = 'failed';

-- When the app's last deploy began, if it failed, and which of these failures was told of.
alter table apps add column deploy_failed_at bigint, add column deploy_noticed_at bigint;
create index apps_deploy_failed on apps (deploy_failed_at) where deploy_failed_at is not null;
