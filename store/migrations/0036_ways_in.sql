-- When the person of a session last proved who they are, after the sign-in itself. The acts that make a lasting way in ask for it.
create table session_confirmations (
  session_id uuid primary key references auth.session (id) on delete cascade,
  confirmed_at bigint not null
);

-- The 30-second step of the last code of an authenticator app that the console accepted. A code of this step or of an earlier one is
-- refused, so each works once (RFC 6238, 5.2).
create table used_app_codes (
  owner_id uuid primary key references auth."user" (id) on delete cascade,
  step bigint not null
);

-- Security events that are told by mail. They outlive the list of events, which somebody could fill.
create table security_mails (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth."user" (id) on delete cascade,
  kind text not null,
  subject text,
  -- The address at the time of the event: a change of the address is told to the earlier one.
  recipient text not null,
  -- Where the event came from.
  address text,
  user_agent text,
  at bigint not null,
  -- The last one within the hour says that further changes are only listed.
  is_last boolean not null,
  due_at bigint not null,
  tries integer not null default 0,
  sent_at bigint
);
create index security_mails_owner on security_mails (owner_id, at);
create index security_mails_due on security_mails (due_at) where sent_at is null;
