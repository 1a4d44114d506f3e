-- Identity: the tables of better-auth 1.7.7 as its own migration generator writes them (a test asks it whether anything is left).
create schema auth;

create table auth."user" (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  email text not null unique,
  "emailVerified" boolean not null,
  image text,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null default current_timestamp
);

create table auth.session (
  id uuid primary key default gen_random_uuid(),
  "expiresAt" timestamptz not null,
  token text not null unique,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null,
  "ipAddress" text,
  "userAgent" text,
  "userId" uuid not null references auth."user" (id) on delete cascade
);
create index "session_userId_idx" on auth.session ("userId");

create table auth.account (
  id uuid primary key default gen_random_uuid(),
  "accountId" text not null,
  "providerId" text not null,
  "userId" uuid not null references auth."user" (id) on delete cascade,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamptz,
  "refreshTokenExpiresAt" timestamptz,
  scope text,
  password text,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null
);
create index "account_userId_idx" on auth.account ("userId");

create table auth.verification (
  id uuid primary key default gen_random_uuid(),
  identifier text not null,
  value text not null,
  "expiresAt" timestamptz not null,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null default current_timestamp
);
create index verification_identifier_idx on auth.verification (identifier);

create table auth."rateLimit" (
  id uuid primary key default gen_random_uuid(),
  key text not null unique,
  count integer not null,
  "lastRequest" bigint not null
);

-- Times are epoch milliseconds everywhere in the tables of our own.
create table profiles (
  owner_id uuid primary key references auth."user" (id) on delete cascade,
  pepper text not null,
  created_at bigint not null
);

-- Messages of a console without a mail server; only its owner reads them.
create table outbox_messages (
  id uuid primary key default gen_random_uuid(),
  recipient text not null,
  subject text not null,
  body text not null,
  created_at bigint not null
);

create table keys (
  owner_id uuid not null references auth."user" (id) on delete cascade,
  id text not null check (id ~ '^[0-9a-f]{32}$'),
  name text not null,
  public_key text not null,
  fingerprint text not null,
  algorithm text not null,
  added_at bigint not null,
  primary key (owner_id, id)
);

create table servers (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth."user" (id) on delete cascade,
  key text not null unique,
  name text not null,
  description text not null default '',
  ip text not null,
  port integer not null,
  username text not null,
  credential text not null,
  subdomain text not null unique,
  metal boolean not null,
  monitor_id text unique,
  -- SHA-256 of the agent's token; the token itself is only on the server.
  agent_token_hash bytea unique,
  agent_installed boolean not null default false,
  host_key_fingerprint text,
  host_key_algorithm text,
  setup text not null default 'new' check (setup in ('new', 'installing', 'failed', 'ready')),
  login text check (login in ('root', 'sudo', 'plain')),
  console_account boolean not null default false,
  dokku_version text,
  git_user text not null default 'dokku',
  simulated boolean not null default false,
  sandbox boolean not null default false,
  created_at bigint not null,
  version integer not null default 1,
  unique (owner_id, ip, port)
);
create index servers_owner on servers (owner_id, created_at);

create table apps (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth."user" (id) on delete cascade,
  server_id uuid not null references servers (id) on delete cascade,
  name text not null,
  longname text not null,
  monitor_id text not null unique,
  plan integer not null check (plan between 0 and 10),
  domains text[] not null default '{}',
  url text,
  stopped boolean not null default false,
  deploy_status text not null default 'never' check (deploy_status in ('never', 'deploying', 'succeeded', 'failed')),
  deployed_at bigint,
  created_at bigint not null,
  version integer not null default 1,
  unique (server_id, longname)
);
create index apps_owner on apps (owner_id, created_at);

create table operations (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth."user" (id) on delete cascade,
  -- The signed-in session that started it: its connection does the work.
  session_id uuid not null,
  kind text not null,
  title text not null,
  state text not null check (state in ('queued', 'running', 'waiting', 'succeeded', 'failed', 'interrupted', 'cancelled')),
  waiting_for jsonb,
  -- One changing operation at a time per lane: a server, or an app on it.
  lane text not null,
  server_id uuid references servers (id) on delete set null,
  app_id uuid references apps (id) on delete set null,
  server_key text,
  server_name text,
  longname text,
  percent integer,
  steps jsonb not null,
  -- What it was asked to do and what it found out so far; never a secret.
  input jsonb not null,
  facts jsonb not null default '{}',
  result jsonb not null default '{}',
  toasts jsonb not null default '[]',
  problem jsonb,
  -- The process that runs it, so that another can tell when it was interrupted.
  replica_id uuid,
  created_at bigint not null,
  started_at bigint,
  ended_at bigint
);
create index operations_owner on operations (owner_id, created_at desc);
create index operations_app on operations (app_id, created_at desc);
create index operations_server on operations (server_id, created_at desc);
create unique index operations_lane on operations (lane) where state in ('running', 'waiting');
create index operations_active on operations (state) where state in ('queued', 'running', 'waiting');

create table operation_lines (
  operation_id uuid not null references operations (id) on delete cascade,
  seq integer not null,
  at bigint not null,
  step text not null,
  stream text not null check (stream in ('out', 'err', 'note')),
  text text not null,
  primary key (operation_id, seq)
);

create table operation_commands (
  operation_id uuid not null references operations (id) on delete cascade,
  seq integer not null,
  step text not null,
  account text not null,
  command text not null,
  exit_code integer,
  started_at bigint not null,
  duration_ms bigint not null,
  primary key (operation_id, seq)
);

-- Processes that run operations; one not seen for half a minute is gone.
create table replicas (
  id uuid primary key,
  seen_at bigint not null
);
