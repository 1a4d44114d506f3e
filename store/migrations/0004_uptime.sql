-- Checks of apps from outside: what is checked and what is known of it, the incidents, and the times through time.
-- Times are epoch milliseconds. `store/src/uptime/` reads and writes them.

-- One row an app that is checked. A claim is a later `due_at` and the next `version`: a claimer that dies is followed by
-- another when `due_at` has come, and what it still writes under the old version is not kept.
create table checks (
  id integer generated always as identity primary key,
  app_id uuid not null unique references apps (id) on delete cascade,
  domain text not null,
  path text not null default '/',
  every_ms integer not null default 60000,
  created_at bigint not null,
  -- Null while the check is paused.
  due_at bigint,
  version integer not null default 1,
  -- What consecutive checks have agreed on; null before that.
  confirmed text check (confirmed in ('up', 'down')),
  confirmed_at bigint,
  -- How many checks in a row have said the opposite since, and when the first of them was made.
  against smallint not null default 0,
  turned_at bigint,
  -- Since when nothing could be found out.
  unknown_since bigint,
  latest text
) with (fillfactor = 50);
create index checks_due on checks (due_at);

create table incidents (
  id uuid primary key default gen_random_uuid(),
  check_id integer not null references checks (id) on delete cascade,
  started_at bigint not null,
  ended_at bigint,
  cause text not null,
  reason text not null
);
create unique index incidents_open on incidents (check_id) where ended_at is null;
create index incidents_of_check on incidents (check_id, started_at desc);

create table series.check_raw (
  series integer not null,
  ts bigint not null,
  ok boolean not null,
  dns_lookup real,
  tcp_connection real,
  tls_handshake real,
  first_byte real,
  content_transfer real,
  total real,
  primary key (series, ts)
) partition by range (ts);

-- Times are those of the checks that found the app up.
create table series.check_hourly (
  series integer not null,
  ts bigint not null,
  up integer not null,
  down integer not null,
  dns_lookup_n integer not null,
  dns_lookup_sum double precision not null,
  dns_lookup_min real,
  dns_lookup_max real,
  tcp_connection_n integer not null,
  tcp_connection_sum double precision not null,
  tcp_connection_min real,
  tcp_connection_max real,
  tls_handshake_n integer not null,
  tls_handshake_sum double precision not null,
  tls_handshake_min real,
  tls_handshake_max real,
  first_byte_n integer not null,
  first_byte_sum double precision not null,
  first_byte_min real,
  first_byte_max real,
  content_transfer_n integer not null,
  content_transfer_sum double precision not null,
  content_transfer_min real,
  content_transfer_max real,
  total_n integer not null,
  total_sum double precision not null,
  total_min real,
  total_max real,
  primary key (series, ts)
) partition by range (ts);

create table series.check_daily (
  series integer not null,
  ts bigint not null,
  up integer not null,
  down integer not null,
  dns_lookup_n integer not null,
  dns_lookup_sum double precision not null,
  dns_lookup_min real,
  dns_lookup_max real,
  tcp_connection_n integer not null,
  tcp_connection_sum double precision not null,
  tcp_connection_min real,
  tcp_connection_max real,
  tls_handshake_n integer not null,
  tls_handshake_sum double precision not null,
  tls_handshake_min real,
  tls_handshake_max real,
  first_byte_n integer not null,
  first_byte_sum double precision not null,
  first_byte_min real,
  first_byte_max real,
  content_transfer_n integer not null,
  content_transfer_sum double precision not null,
  content_transfer_min real,
  content_transfer_max real,
  total_n integer not null,
  total_sum double precision not null,
  total_min real,
  total_max real,
  primary key (series, ts)
) partition by range (ts);

create table series.check_monthly (
  series integer not null,
  ts bigint not null,
  up integer not null,
  down integer not null,
  dns_lookup_n integer not null,
  dns_lookup_sum double precision not null,
  dns_lookup_min real,
  dns_lookup_max real,
  tcp_connection_n integer not null,
  tcp_connection_sum double precision not null,
  tcp_connection_min real,
  tcp_connection_max real,
  tls_handshake_n integer not null,
  tls_handshake_sum double precision not null,
  tls_handshake_min real,
  tls_handshake_max real,
  first_byte_n integer not null,
  first_byte_sum double precision not null,
  first_byte_min real,
  first_byte_max real,
  content_transfer_n integer not null,
  content_transfer_sum double precision not null,
  content_transfer_min real,
  content_transfer_max real,
  total_n integer not null,
  total_sum double precision not null,
  total_min real,
  total_max real,
  primary key (series, ts)
) with (fillfactor = 50);

create function series.forget_check() returns trigger language plpgsql as $$
begin
  delete from series.check_raw where series = old.id;
  delete from series.check_hourly where series = old.id;
  delete from series.check_daily where series = old.id;
  delete from series.check_monthly where series = old.id;
  return null;
end $$;
create trigger forget_check after delete on checks for each row execute function series.forget_check();

-- Whoever stops or starts an app, or takes the checked domain from it, pauses its check or begins it anew: what was known
-- of it no longer holds, and a pause is no incident.
create function follow_app() returns trigger language plpgsql as $$
declare
  now_ms bigint := (extract(epoch from clock_timestamp()) * 1000)::bigint;
begin
  with followed as (
    update checks c set due_at = case when not new.stopped and c.domain = any(new.domains) then now_ms end,
      version = c.version + 1, confirmed = null, confirmed_at = null, against = 0, turned_at = now_ms, unknown_since = null
    where c.app_id = new.id
      and (not old.stopped and c.domain = any(old.domains)) <> (not new.stopped and c.domain = any(new.domains))
    returning c.id)
  update incidents i set ended_at = greatest(now_ms, i.started_at) from followed
  where i.check_id = followed.id and i.ended_at is null;
  return null;
end $$;
create trigger follow_app after update on apps for each row
  when (old.stopped is distinct from new.stopped or old.domains is distinct from new.domains)
  execute function follow_app();

-- Whoever deployed wants to know now whether it answers, not at the check's next turn.
create function check_deploy() returns trigger language plpgsql as $$
begin
  update checks set due_at = least(due_at, (extract(epoch from clock_timestamp()) * 1000)::bigint)
  where app_id = new.id and due_at is not null;
  return null;
end $$;
create trigger check_deploy after update on apps for each row
  when (old.deployed_at is distinct from new.deployed_at or old.deploy_status is distinct from new.deploy_status)
  execute function check_deploy();
