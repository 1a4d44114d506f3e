-- Who may sign up on a console that takes new accounts by invitation. One that is open is the only one for its address.
create table invitations (
  id uuid primary key default gen_random_uuid(),
  -- Of the console: the first account, who made it.
  owner_id uuid not null references auth."user" (id) on delete cascade,
  -- In lower case, as accounts have it.
  email text not null check (email = lower(email)),
  -- SHA-256 of the token; the token itself is only in the message.
  token_hash bytea not null unique,
  -- A mail server took the message, so whoever has the token reads that mailbox.
  mailed boolean not null default false,
  created_at bigint not null,
  expires_at bigint not null,
  accepted_at bigint,
  withdrawn_at bigint
);
create index invitations_owner on invitations (owner_id, created_at desc);
create unique index invitations_open on invitations (email) where accepted_at is null and withdrawn_at is null;
