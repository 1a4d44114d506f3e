-- Reports of servers and of their apps through time. Times are epoch milliseconds, sizes are bytes.
-- `store/src/series/` reads and writes them; partitions of the raw, hourly and daily tables are made and dropped there.
create schema series;

-- One row a server that has reported. `state` is what the next report is measured against; a writer names the `version`
-- that it read, so that two replicas never count one report twice.
create table series.server (
  id integer generated always as identity primary key,
  server_id uuid not null unique references servers (id) on delete cascade,
  version bigint not null default 0,
  state text,
  latest text,
  latest_ts bigint,
  installed_at bigint,
  refused bigint not null default 0
) with (fillfactor = 50, toast_tuple_target = 8160);

-- The apps of a server as its containers are labelled; the console says over SSH which container is which app's.
create table series.app (
  id integer generated always as identity primary key,
  server integer not null references series.server (id) on delete cascade,
  name text not null,
  unique (server, name)
);
create table series.container (
  server integer not null references series.server (id) on delete cascade,
  container_id text not null,
  app integer not null references series.app (id) on delete cascade,
  primary key (server, container_id)
);

create table series.server_raw (
  series integer not null,
  ts bigint not null,
  seconds integer not null,
  rx bigint,
  tx bigint,
  load_avg real,
  load_cpu real,
  load_io real,
  ram_usage bigint,
  swap_usage bigint,
  disk_usage bigint,
  ping_us real,
  ping_eu real,
  ping_as real,
  primary key (series, ts)
) partition by range (ts);

-- Averages are kept as sum and weight (seconds), so that they can be added to.
create table series.server_hourly (
  series integer not null,
  ts bigint not null,
  n integer not null,
  seconds bigint not null,
  rx bigint,
  tx bigint,
  load_avg_weight double precision not null,
  load_avg_sum double precision not null,
  load_avg_min real,
  load_avg_max real,
  load_cpu_weight double precision not null,
  load_cpu_sum double precision not null,
  load_cpu_min real,
  load_cpu_max real,
  load_io_weight double precision not null,
  load_io_sum double precision not null,
  load_io_min real,
  load_io_max real,
  ram_usage_weight double precision not null,
  ram_usage_sum double precision not null,
  ram_usage_min bigint,
  ram_usage_max bigint,
  swap_usage_weight double precision not null,
  swap_usage_sum double precision not null,
  swap_usage_min bigint,
  swap_usage_max bigint,
  disk_usage_weight double precision not null,
  disk_usage_sum double precision not null,
  disk_usage_min bigint,
  disk_usage_max bigint,
  ping_us_weight double precision not null,
  ping_us_sum double precision not null,
  ping_us_min real,
  ping_us_max real,
  ping_eu_weight double precision not null,
  ping_eu_sum double precision not null,
  ping_eu_min real,
  ping_eu_max real,
  ping_as_weight double precision not null,
  ping_as_sum double precision not null,
  ping_as_min real,
  ping_as_max real,
  primary key (series, ts)
) partition by range (ts);

create table series.server_daily (
  series integer not null,
  ts bigint not null,
  n integer not null,
  seconds bigint not null,
  rx bigint,
  tx bigint,
  load_avg_weight double precision not null,
  load_avg_sum double precision not null,
  load_avg_min real,
  load_avg_max real,
  load_cpu_weight double precision not null,
  load_cpu_sum double precision not null,
  load_cpu_min real,
  load_cpu_max real,
  load_io_weight double precision not null,
  load_io_sum double precision not null,
  load_io_min real,
  load_io_max real,
  ram_usage_weight double precision not null,
  ram_usage_sum double precision not null,
  ram_usage_min bigint,
  ram_usage_max bigint,
  swap_usage_weight double precision not null,
  swap_usage_sum double precision not null,
  swap_usage_min bigint,
  swap_usage_max bigint,
  disk_usage_weight double precision not null,
  disk_usage_sum double precision not null,
  disk_usage_min bigint,
  disk_usage_max bigint,
  ping_us_weight double precision not null,
  ping_us_sum double precision not null,
  ping_us_min real,
  ping_us_max real,
  ping_eu_weight double precision not null,
  ping_eu_sum double precision not null,
  ping_eu_min real,
  ping_eu_max real,
  ping_as_weight double precision not null,
  ping_as_sum double precision not null,
  ping_as_min real,
  ping_as_max real,
  primary key (series, ts)
) partition by range (ts);

create table series.server_monthly (
  series integer not null,
  ts bigint not null,
  n integer not null,
  seconds bigint not null,
  rx bigint,
  tx bigint,
  load_avg_weight double precision not null,
  load_avg_sum double precision not null,
  load_avg_min real,
  load_avg_max real,
  load_cpu_weight double precision not null,
  load_cpu_sum double precision not null,
  load_cpu_min real,
  load_cpu_max real,
  load_io_weight double precision not null,
  load_io_sum double precision not null,
  load_io_min real,
  load_io_max real,
  ram_usage_weight double precision not null,
  ram_usage_sum double precision not null,
  ram_usage_min bigint,
  ram_usage_max bigint,
  swap_usage_weight double precision not null,
  swap_usage_sum double precision not null,
  swap_usage_min bigint,
  swap_usage_max bigint,
  disk_usage_weight double precision not null,
  disk_usage_sum double precision not null,
  disk_usage_min bigint,
  disk_usage_max bigint,
  ping_us_weight double precision not null,
  ping_us_sum double precision not null,
  ping_us_min real,
  ping_us_max real,
  ping_eu_weight double precision not null,
  ping_eu_sum double precision not null,
  ping_eu_min real,
  ping_eu_max real,
  ping_as_weight double precision not null,
  ping_as_sum double precision not null,
  ping_as_min real,
  ping_as_max real,
  primary key (series, ts)
) with (fillfactor = 50);

create table series.app_raw (
  series integer not null,
  ts bigint not null,
  seconds integer not null,
  rx bigint,
  tx bigint,
  cpu_percent real,
  mem_usage bigint,
  mem_percent real,
  primary key (series, ts)
) partition by range (ts);

create table series.app_hourly (
  series integer not null,
  ts bigint not null,
  n integer not null,
  seconds bigint not null,
  rx bigint,
  tx bigint,
  cpu_percent_weight double precision not null,
  cpu_percent_sum double precision not null,
  cpu_percent_min real,
  cpu_percent_max real,
  mem_usage_weight double precision not null,
  mem_usage_sum double precision not null,
  mem_usage_min bigint,
  mem_usage_max bigint,
  mem_percent_weight double precision not null,
  mem_percent_sum double precision not null,
  mem_percent_min real,
  mem_percent_max real,
  primary key (series, ts)
) partition by range (ts);

create table series.app_daily (
  series integer not null,
  ts bigint not null,
  n integer not null,
  seconds bigint not null,
  rx bigint,
  tx bigint,
  cpu_percent_weight double precision not null,
  cpu_percent_sum double precision not null,
  cpu_percent_min real,
  cpu_percent_max real,
  mem_usage_weight double precision not null,
  mem_usage_sum double precision not null,
  mem_usage_min bigint,
  mem_usage_max bigint,
  mem_percent_weight double precision not null,
  mem_percent_sum double precision not null,
  mem_percent_min real,
  mem_percent_max real,
  primary key (series, ts)
) partition by range (ts);

create table series.app_monthly (
  series integer not null,
  ts bigint not null,
  n integer not null,
  seconds bigint not null,
  rx bigint,
  tx bigint,
  cpu_percent_weight double precision not null,
  cpu_percent_sum double precision not null,
  cpu_percent_min real,
  cpu_percent_max real,
  mem_usage_weight double precision not null,
  mem_usage_sum double precision not null,
  mem_usage_min bigint,
  mem_usage_max bigint,
  mem_percent_weight double precision not null,
  mem_percent_sum double precision not null,
  mem_percent_min real,
  mem_percent_max real,
  primary key (series, ts)
) with (fillfactor = 50);

-- The series have no foreign keys, which would be checked for each of thousands of rows a second.
create function series.forget_server() returns trigger language plpgsql as $$
begin
  delete from series.server_raw where series = old.id;
  delete from series.server_hourly where series = old.id;
  delete from series.server_daily where series = old.id;
  delete from series.server_monthly where series = old.id;
  return null;
end $$;
create trigger forget_server after delete on series.server for each row execute function series.forget_server();

create function series.forget_app() returns trigger language plpgsql as $$
begin
  delete from series.app_raw where series = old.id;
  delete from series.app_hourly where series = old.id;
  delete from series.app_daily where series = old.id;
  delete from series.app_monthly where series = old.id;
  return null;
end $$;
create trigger forget_app after delete on series.app for each row execute function series.forget_app();

-- A writer that knows the server by its old token finds another version and looks again. A new token is a new
-- installation, which may number its reports from anywhere.
create function series.touch_server() returns trigger language plpgsql as $$
begin
  update series.server set version = version + 1, state = null where server_id = new.id;
  return null;
end $$;
create trigger touch_server after update on servers for each row
  when (old.agent_token_hash is distinct from new.agent_token_hash or old.monitor_id is distinct from new.monitor_id)
  execute function series.touch_server();
