-- The server's own global domains, where linking found others than the one that Homeport would set and kept them.
-- Null: there are none, or the server uses Homeport's.
alter table servers add column global_domains text[];
-- The person said that they stay. Until then the server's page asks.
alter table servers add column global_domains_kept boolean not null default false;
