-- What happened to an account, for its person to read. The console keeps the newest ones.
create table security_events (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity,
  owner_id uuid not null references auth."user" (id) on delete cascade,
  kind text not null,
  -- The name of the thing that the event is about.
  subject text,
  count integer not null default 1,
  address text,
  user_agent text,
  at bigint not null
);
create index security_events_owner on security_events (owner_id, number desc);

-- Tokens with which programs of a person call the api. A token itself is only with its person.
create table api_tokens (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth."user" (id) on delete cascade,
  name text not null,
  -- SHA-256 of the token, which holds 256 random bits.
  token_hash bytea not null unique,
  last_four text not null,
  -- 'apps:read', 'apps:write'
  scopes text[] not null,
  created_at bigint not null,
  expires_at bigint not null,
  last_used_at bigint
);
create index api_tokens_owner on api_tokens (owner_id, created_at);

-- The second step of signing in: better-auth's own table and column, as its migration generator writes them. The library seals the
-- secret and the recovery codes with the console's secret.
alter table auth."user" add column "twoFactorEnabled" boolean default false;
create table auth."twoFactor" (
  id uuid primary key default gen_random_uuid(),
  secret text not null,
  "backupCodes" text not null,
  "userId" uuid not null references auth."user" (id) on delete cascade,
  verified boolean,
  "failedVerificationCount" integer,
  "lockedUntil" timestamptz
);
create index "twoFactor_secret_idx" on auth."twoFactor" (secret);
create index "twoFactor_userId_idx" on auth."twoFactor" ("userId");
