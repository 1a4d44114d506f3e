-- Sign-ins of terminals that wait for their person (RFC 8628), for ten minutes at most. The codes themselves are only with the terminal.
create table device_codes (
  id uuid primary key default gen_random_uuid(),
  -- SHA-256 of 256 random bits.
  device_hash bytea not null unique,
  -- HMAC under the console's secret: the code is short.
  user_hash bytea not null unique,
  -- What the terminal says of itself, and where the request came from.
  name text not null,
  platform text not null,
  address text not null,
  created_at bigint not null,
  expires_at bigint not null,
  -- When the terminal asked last, and after how long it may ask again.
  polled_at bigint,
  interval_ms integer not null,
  -- The first person who typed the code. Nobody else sees or decides the request.
  owner_id uuid references auth."user" (id) on delete cascade,
  state text not null default 'open' check (state in ('open', 'approved', 'declined')),
  check (state = 'open' or owner_id is not null)
);
create index device_codes_address on device_codes (address);
create index device_codes_owner on device_codes (owner_id);
