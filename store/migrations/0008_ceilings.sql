-- How much of a person's work may be queued, run or wait. Counting and adding are one step: whoever adds takes the person's
-- lock first, which is held until the row that is added can be seen by others.
create function lane_with_room(person uuid, wanted text, most integer, most_queued integer) returns text
language plpgsql volatile as $$
declare
  held bigint;
  queued bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('homeport operations ' || person, 0));
  select count(*), count(*) filter (where lane = wanted and state = 'queued') into held, queued
    from operations where owner_id = person and state in ('queued', 'running', 'waiting');
  if queued >= most_queued then
    raise exception 'the lane is full' using errcode = 'check_violation', constraint = 'operations_per_lane';
  end if;
  if held >= most then
    raise exception 'the person has too much work' using errcode = 'check_violation', constraint = 'operations_per_person';
  end if;
  return wanted;
end $$;
create index operations_owner_active on operations (owner_id) where state in ('queued', 'running', 'waiting');
