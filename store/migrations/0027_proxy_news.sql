-- What a person is told of a proxy: a website that fails, a certificate that ends, a domain that leads elsewhere.
alter table proxies
  -- The rules whose websites fail, by id or `source`: {since, requests, errors}. Epoch milliseconds.
  add column failing_rules jsonb not null default '{}',
  -- The certificate that visitors are shown: {fingerprint, validFrom, validTo}. Null while none was read.
  add column certificate jsonb,
  -- When the domain stopped being served although the proxy is there. Null while it is served, or never was.
  add column unserved_at bigint;

alter table notice_threads add column proxy_id uuid references proxies (id) on delete cascade;
create index notice_threads_proxy on notice_threads (proxy_id);

alter table notice_mutes
  add column proxy_id uuid references proxies (id) on delete cascade,
  drop constraint notice_mutes_check,
  drop constraint notice_mutes_server_id_app_id_kind_key,
  add constraint notice_mutes_subject check (num_nonnulls(server_id, app_id, proxy_id) = 1),
  add constraint notice_mutes_once unique nulls not distinct (server_id, app_id, proxy_id, kind);
create index notice_mutes_proxy on notice_mutes (proxy_id);

drop function wants_notice(uuid, uuid, text);
create function wants_notice(server uuid, app uuid, wanted text, proxy uuid default null) returns boolean language sql stable as $$
  select not exists (
    select from notice_mutes m
    where m.app_id = app and (m.kind is null or m.kind = wanted)
      or m.server_id = server and (m.kind is null or app is null and m.kind = wanted)
      or m.proxy_id = proxy and (m.kind is null or m.kind = wanted))
$$;
