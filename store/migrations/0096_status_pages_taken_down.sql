-- The operator takes a single status page down, with a reason for its person. Such a page cannot be published.
alter table status_pages add column taken_down text;
alter table status_pages add constraint status_pages_taken_down check (taken_down is null or not published);

-- Addresses at which a page was that readers may have found. For some time nobody else puts a page there: a reader who kept the address would take it
-- for the old one. Without an owner it is nobody's: the page that was there had been taken down.
create table freed_status_addresses (
  slug text primary key,
  owner_id uuid,
  freed_at bigint not null
);
create index freed_status_addresses_owner on freed_status_addresses (owner_id, freed_at);

create function free_status_address() returns trigger language plpgsql as $$
declare
  now_ms bigint := (extract(epoch from clock_timestamp()) * 1000)::bigint;
begin
  insert into freed_status_addresses values (old.slug, case when old.taken_down is null then old.owner_id end, now_ms)
    on conflict (slug) do update set owner_id = excluded.owner_id, freed_at = excluded.freed_at;
  -- An account keeps its last twenty from others. Whoever renames a page again and again holds no more.
  delete from freed_status_addresses where slug in (
    select slug from freed_status_addresses where owner_id = old.owner_id order by freed_at desc, slug offset 20);
  delete from freed_status_addresses where freed_at < now_ms - 90 * 86400000::bigint;
  return null;
end $$;
-- A page that was taken down keeps its address until it is deleted, so no more addresses are nobody's than the operator took down.
create trigger free_status_address after update on status_pages for each row
  when (old.slug <> new.slug and old.rendered_at > 0) execute function free_status_address();
create trigger free_status_address_at_end after delete on status_pages for each row
  when (old.rendered_at > 0 or old.taken_down is not null) execute function free_status_address();
