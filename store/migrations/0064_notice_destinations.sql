-- Where a person is told. A message leaves for a destination and no longer for a kind of channel, so that a person can have several
-- destinations of one kind, and each has an order and a limit of its own. Times are epoch milliseconds.
create table notice_destinations (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth."user" (id) on delete cascade,
  kind text not null,
  created_at bigint not null
);
create index notice_destinations_owner on notice_destinations (owner_id);
-- The address of the account is the one destination of this kind.
create unique index notice_destinations_email on notice_destinations (owner_id) where kind = 'email';

insert into notice_destinations (owner_id, kind, created_at)
  select id, 'email', (extract(epoch from "createdAt") * 1000)::bigint from auth."user";

create function add_email_destination() returns trigger language plpgsql as $$
begin
  insert into notice_destinations (owner_id, kind, created_at)
    values (new.id, 'email', (extract(epoch from new."createdAt") * 1000)::bigint);
  return null;
end $$;
create trigger add_email_destination after insert on auth."user"
  for each row execute function add_email_destination();

-- With the column go its indexes.
alter table notice_messages add column destination_id uuid references notice_destinations (id) on delete cascade;
update notice_messages m set destination_id = d.id from notice_destinations d where d.owner_id = m.owner_id;
alter table notice_messages alter column destination_id set not null, drop column channel;
create index notice_messages_waiting on notice_messages (destination_id, number) where state = 'waiting';
create index notice_messages_destination on notice_messages (destination_id, ended_at);
create index notice_messages_owner on notice_messages (owner_id);

alter table notice_deliveries add column destination_id uuid references notice_destinations (id) on delete cascade;
update notice_deliveries o set destination_id = d.id from notice_destinations d where d.owner_id = o.owner_id;
alter table notice_deliveries
  drop constraint notice_deliveries_pkey,
  alter column destination_id set not null,
  drop column channel,
  add primary key (notice_id, destination_id);
create index notice_deliveries_undecided on notice_deliveries (destination_id) where message_id is null;
create index notice_deliveries_owner on notice_deliveries (owner_id);
