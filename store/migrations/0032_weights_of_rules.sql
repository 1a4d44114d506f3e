-- How many rules a proxy has and how many bytes they take, so that lists and shares need not read the rules.
alter table proxies
  add column rule_count integer not null generated always as (jsonb_array_length(records)) stored,
  add column rule_bytes integer not null generated always as (octet_length(records::text)) stored;
-- Rules with a pattern are read by the data planes again, which say where a pattern is beyond its share.
update proxies set version = next_proxy_version() where records @? '$[*] ? (@.pathRewriteSrc starts with "^")';
