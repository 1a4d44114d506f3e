-- Several websites under one domain. The data plane serves a proxy whose domain is pointing here and proven to be its owner's.
create table proxies (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth."user" (id) on delete cascade,
  name text not null,
  -- The whole host name: lower case, punycode.
  domain text not null,
  -- What stands before the zone in `domain`; '' for the zone itself.
  subdomain text not null default '',
  -- The primary website, which takes every path that no rule takes.
  source text not null,
  -- The rules in their order. One value, because an order of several rows cannot change in one step.
  records jsonb not null default '[]',
  -- URLs with the rule that each must reach: [{url, rule, upstream}]. They are tried before a change is kept.
  saved_urls jsonb not null default '[]',
  created_at bigint not null,

  -- One row of a domain holds the name. Another account may have a row too, and takes the name over when it proves the domain while
  -- the holder's proof fails.
  holds boolean not null default false,
  -- The text of the TXT record `_homeport.<domain>` that proves the domain for this proxy.
  proof text not null,
  -- The console's owner vouched for the domain.
  granted_at bigint,
  owned text not null default 'unknown' check (owned in ('unknown', 'zone', 'txt', 'granted', 'missing')),
  pointing text not null default 'unknown' check (pointing in ('unknown', 'yes', 'partly', 'no')),
  -- What the last check saw, for the page: {addresses, cname, stray, reason}.
  found jsonb not null default '{}',
  checked_at bigint,
  check_due_at bigint not null default 0,
  check_version integer not null default 1,
  -- Checks in a row that failed, and when the first of them was.
  failures integer not null default 0,
  failing_since bigint,
  -- The data plane serves the domain.
  allowed boolean not null default false,

  -- Why the data plane keeps the rules that it served before. Null when it serves these.
  refusal text,
  -- Grows with each change that the data plane has to know, over all proxies. A trigger sets it.
  version bigint not null default 0,
  unique (owner_id, domain)
);
create unique index proxies_holder on proxies (domain) where holds;
create unique index proxies_version on proxies (version);
create index proxies_check_due on proxies (check_due_at);

create sequence proxy_versions;

-- Names that no proxy has any more. The data plane learns from a row that it serves the name no longer. Until the lock ends, another
-- account gets the name only with a proof, because the old CNAME may still point here.
create table freed_names (
  domain text primary key,
  owner_id uuid not null,
  freed_at bigint not null,
  version bigint not null unique
);

-- Addresses whose cached answers go, for every data plane, also for one that was away. Kept for a day.
create table purges (
  version bigint primary key default 0,
  starts_with text not null,
  created_at bigint not null
);
create index purges_created on purges (created_at);

-- What visitors did, by rule. `at` is the start of the minute, hour, day or month (UTC).
create table proxy_use (
  proxy_id uuid not null references proxies (id) on delete cascade,
  -- A rule's id, or `source`.
  rule text not null,
  span text not null check (span in ('minute', 'hour', 'day', 'month')),
  at bigint not null,
  requests bigint not null,
  -- Answers with 5xx, ours and the upstream's.
  errors bigint not null,
  -- Answers from the cache.
  hits bigint not null,
  -- Bytes of answers' bodies.
  bytes bigint not null,
  -- The sum of all times until the head of the answer, and the longest of them.
  latency_ms bigint not null,
  latency_max_ms integer not null,
  primary key (proxy_id, rule, span, at)
);
create index proxy_use_old on proxy_use (span, at);

-- Numbers are given in the order of the commits: without the lock a reader that asks for "above 6" could miss a 5 that commits later.
create function next_proxy_version() returns bigint language plpgsql as $$
begin
  perform pg_advisory_xact_lock(70700023);
  return nextval('proxy_versions');
end $$;

create function free_name(name text, owner uuid) returns void language plpgsql as $$
declare freed bigint := next_proxy_version();
begin
  insert into freed_names values (name, owner, (extract(epoch from clock_timestamp()) * 1000)::bigint, freed)
    on conflict (domain) do update
      set owner_id = excluded.owner_id, freed_at = excluded.freed_at, version = excluded.version;
  perform pg_notify('proxy', json_build_object('version', freed)::text);
end $$;

create function number_proxy() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if old.holds and (not new.holds or new.domain <> old.domain) then
      perform free_name(old.domain, old.owner_id);
    end if;
  end if;
  new.version := next_proxy_version();
  perform pg_notify('proxy', json_build_object('version', new.version)::text);
  return new;
end $$;
create trigger number_new_proxy before insert on proxies for each row execute function number_proxy();
create trigger number_changed_proxy before update on proxies for each row
  when ((old.domain, old.source, old.records, old.allowed, old.holds)
    is distinct from (new.domain, new.source, new.records, new.allowed, new.holds))
  execute function number_proxy();

create function free_deleted_proxy() returns trigger language plpgsql as $$
begin
  if old.holds then perform free_name(old.domain, old.owner_id); end if;
  return null;
end $$;
create trigger free_deleted_proxy after delete on proxies for each row execute function free_deleted_proxy();

create function number_purge() returns trigger language plpgsql as $$
begin
  new.version := next_proxy_version();
  perform pg_notify('purge', json_build_object('version', new.version)::text);
  return new;
end $$;
create trigger number_purge before insert on purges for each row execute function number_purge();
