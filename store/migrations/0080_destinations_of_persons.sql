-- Destinations that a person adds. `shown` is what pages show of the target; the target itself is sealed, because whoever knows the
-- address of a webhook can write there. `broken`: the target said that nothing will be taken there any more; `problem` says so.
alter table notice_destinations
  add column name text not null default '',
  add column shown text not null default '',
  add column sealed bytea,
  add column state text not null default 'on' check (state in ('on', 'off', 'broken')),
  add column problem text,
  add column version integer not null default 1,
  -- Until then messages are signed with the replaced secret, too.
  add column previous_until bigint;

-- A message that a person asked for, to see whether the destination works. It holds no news.
alter table notice_messages add column test boolean not null default false;

-- When a person had a message sent, tests among them: so many a minute are sent. Apart from the messages, which go with their destination.
create table notice_sent_by_hand (
  owner_id uuid not null references auth."user" (id) on delete cascade,
  at bigint not null
);
create index notice_sent_by_hand_owner on notice_sent_by_hand (owner_id, at);
