-- Whether the notice is grave, so that destinations with quiet hours are asked for what passes by an index. This table
-- comes first, as where news is raised: otherwise a replica that raises some meanwhile and this would wait for each other.
alter table notice_deliveries add column grave boolean not null default false;
create index notice_deliveries_grave on notice_deliveries (destination_id) where message_id is null and grave;

-- When a destination is left in peace, by the clock of its person: {"from": "22:00", "to": "07:00", "zone": "Europe/Berlin", "grave": true}. News waits for
-- the end of these hours. `grave`: what is grave does not wait. Null: the destination has none.
alter table notice_destinations add column quiet_hours jsonb;

-- Another PostgreSQL, or a newer one, may know other time zones.
create function knows_time_zone(zone text) returns boolean language plpgsql stable as $$
begin
  perform now() at time zone zone;
  return true;
exception when invalid_parameter_value then
  return false;
end $$;

-- Whether a moment, in epoch milliseconds, lies in such hours. They may go over midnight. Where the clock is set back, a time that comes twice
-- is the second one, and where it is set forward, a time that does not exist is an hour later (appendix B.1 of PostgreSQL's documentation): so hours
-- begin once and end once. A zone that is not known has no quiet hours, because news must not wait for ever.
create function is_quiet(hours jsonb, moment bigint) returns boolean language plpgsql stable as $$
declare
  zone text := hours ->> 'zone';
  instant timestamptz := to_timestamp(moment / 1000.0);
  starts time;
  ends time;
  today date;
begin
  if hours is null or not knows_time_zone(zone) then
    return false;
  end if;
  starts := (hours ->> 'from')::time;
  ends := (hours ->> 'to')::time;
  today := (instant at time zone zone)::date;
  return exists (
    select from unnest(array[today - 1, today]) as first_day
    where (first_day + starts) at time zone zone <= instant
      and instant < (first_day + case when ends <= starts then 1 else 0 end + ends) at time zone zone);
end $$;
