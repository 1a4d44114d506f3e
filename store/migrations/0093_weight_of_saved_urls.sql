-- How many bytes the saved URLs of a proxy take, so that the pace of reads and changes is known before they are read.
alter table proxies
  add column url_bytes integer not null generated always as (octet_length(saved_urls::text)) stored;
