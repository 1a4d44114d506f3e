-- The commands that an operation ran count with its log: their bytes, and 64 for each beside its text. Without a share an account could
-- keep any number of them.
-- First: nothing is added between the sum and the trigger, and a removal takes its commands before its log, too.
lock table operation_commands in share row exclusive mode;

insert into operation_logs as log (operation_id, owner_id, bytes)
select o.id, o.owner_id, sum(octet_length(c.command) + 64)
from operation_commands c join operations o on o.id = c.operation_id
group by o.id, o.owner_id
on conflict (operation_id) do update set bytes = log.bytes + excluded.bytes;

-- As before, and the commands go with the log.
create or replace function shorten_logs(person uuid, writer uuid) returns void language plpgsql as $$
declare
  most constant bigint := most_log_bytes();
  held bigint;
  oldest record;
  sentence constant text := 'The log of this operation was removed up to here: the logs of an account take 128 MiB together at most, and the oldest go first.';
  last record;
begin
  select coalesce(sum(bytes), 0) into held from operation_logs where owner_id = person;
  if held <= most then
    return;
  end if;
  for oldest in
    -- An operation that is being removed takes its log with it, and nobody waits for that here.
    select o.id, s.bytes from operation_logs s join operations o on o.id = s.operation_id
    where s.owner_id = person and o.id <> writer and s.bytes > 1024
    order by o.state in ('queued', 'running', 'waiting'), o.created_at, o.id
    for key share of o skip locked
  loop
    exit when held <= most - most / 16;
    select l.seq, l.step into last from operation_lines l where l.operation_id = oldest.id order by l.seq desc limit 1;
    delete from operation_lines where operation_id = oldest.id and seq <= last.seq;
    delete from operation_commands where operation_id = oldest.id;
    update operation_logs set bytes = 0 where operation_id = oldest.id;
    -- Without a line the run that is under way gives the first number itself.
    if last.seq is not null then
      insert into operation_lines (operation_id, seq, at, step, stream, text)
        values (oldest.id, last.seq, floor(extract(epoch from clock_timestamp()) * 1000), last.step, 'note', sentence);
    end if;
    held := held - oldest.bytes;
  end loop;
end $$;

create function count_commands() returns trigger language plpgsql as $$
declare
  grown record;
begin
  for grown in
    select o.owner_id, n.operation_id, sum(octet_length(n.command) + 64) as bytes
    from added n join operations o on o.id = n.operation_id
    group by o.owner_id, n.operation_id
    order by o.owner_id, n.operation_id
  loop
    perform pg_advisory_xact_lock(hashtextextended('homeport logs ' || grown.owner_id, 0));
    insert into operation_logs as log (operation_id, owner_id, bytes)
      values (grown.operation_id, grown.owner_id, grown.bytes)
      on conflict (operation_id) do update set bytes = log.bytes + excluded.bytes;
    perform shorten_logs(grown.owner_id, grown.operation_id);
  end loop;
  return null;
end $$;
create trigger count_commands after insert on operation_commands
  referencing new table as added
  for each statement execute function count_commands();
