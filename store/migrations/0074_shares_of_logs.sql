-- How much the log of each operation takes: the bytes of its lines, and 64 for each line beside its text. A log is up to 8 MiB, and an
-- account has hundreds of operations, so the logs of an account have a share together.
create table operation_logs (
  operation_id uuid primary key references operations (id) on delete cascade,
  owner_id uuid not null,
  bytes bigint not null check (bytes >= 0)
);
create index operation_logs_owner on operation_logs (owner_id) include (bytes);

insert into operation_logs (operation_id, owner_id, bytes)
select o.id, o.owner_id, sum(octet_length(l.text) + 64)
from operation_lines l join operations o on o.id = l.operation_id
group by o.id, o.owner_id;

-- `operationLog.bytesOfAccount` in the contract's limits. A test compares both.
create function most_log_bytes() returns bigint language sql immutable as $$ select 134217728::bigint $$;

-- The oldest logs of the person go until a sixteenth of the share is free, so that not every further line has to take one. An operation
-- that is over goes before one that is under way; the one that has just written keeps its log. A sentence stands in the place of each.
create function shorten_logs(person uuid, writer uuid) returns void language plpgsql as $$
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
    update operation_logs set bytes = 0 where operation_id = oldest.id;
    insert into operation_lines (operation_id, seq, at, step, stream, text)
      values (oldest.id, last.seq, floor(extract(epoch from clock_timestamp()) * 1000), last.step, 'note', sentence);
    held := held - oldest.bytes;
  end loop;
end $$;

-- Counts in the statement that keeps the lines. The lines of one person are counted one statement after the other, so the share holds
-- exactly.
create function count_log() returns trigger language plpgsql as $$
declare
  grown record;
begin
  for grown in
    select o.owner_id, n.operation_id, sum(octet_length(n.text) + 64) as bytes
    from added n join operations o on o.id = n.operation_id
    group by o.owner_id, n.operation_id
    order by o.owner_id, n.operation_id
  loop
    perform pg_advisory_xact_lock(hashtextextended('homeport logs ' || grown.owner_id, 0));
    insert into operation_logs as log (operation_id, owner_id, bytes)
      values (grown.operation_id, grown.owner_id, grown.bytes)
      on conflict (operation_id) do update set bytes = log.bytes + excluded.bytes;
    -- The sentences of `shorten_logs` are lines, too.
    if pg_trigger_depth() = 1 then
      perform shorten_logs(grown.owner_id, grown.operation_id);
    end if;
  end loop;
  return null;
end $$;
create trigger count_log after insert on operation_lines
  referencing new table as added
  for each statement execute function count_log();
