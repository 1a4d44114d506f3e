-- Passkeys with which people sign in (WebAuthn Level 2). The private half never leaves the person's device.
create table passkeys (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth."user" (id) on delete cascade,
  name text not null,
  credential_id text not null unique,
  -- A COSE key (RFC 9052).
  public_key bytea not null,
  -- Uses that the device counted; 0 forever on devices that do not count.
  counter bigint not null,
  -- The device keeps copies of the passkey elsewhere.
  backed_up boolean not null,
  created_at bigint not null,
  last_used_at bigint
);
create index passkeys_owner on passkeys (owner_id, created_at);

-- What a device signs next. Each works once, for some minutes.
create table passkey_challenges (
  challenge_hash bytea primary key,
  -- The session that adds a passkey; null: somebody signs in, in the browser with this word in its cookie.
  session_id uuid,
  browser_hash bytea,
  expires_at bigint not null,
  check (num_nonnulls(session_id, browser_hash) = 1)
);
create index passkey_challenges_expires on passkey_challenges (expires_at);
create index passkey_challenges_session on passkey_challenges (session_id);
