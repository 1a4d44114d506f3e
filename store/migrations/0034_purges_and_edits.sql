-- People edit one version, and data planes follow another one. A check of the domain changes what is served, which is nobody's edit.
alter table proxies add column edit_version bigint not null default 1;
-- A page that is open now goes on with the version that it shows.
update proxies set edit_version = version;

-- The proxy that a person purged, for its share. Null: whoever runs the planes asked.
alter table purges add column proxy_id uuid references proxies (id) on delete set null;
create index purges_proxy on purges (proxy_id, created_at);
