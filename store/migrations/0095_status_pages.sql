-- Public status pages. A person says what stands on one; a monitor renders it to finished bytes, which are all that visitors get.
create table status_pages (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth."user" (id) on delete cascade,
  slug text not null unique,
  title text not null,
  published boolean not null default false,
  version integer not null default 1,
  created_at bigint not null,
  -- When the page is rendered next. A render is kept only under the claim that it began with.
  due_at bigint not null default 0,
  claim integer not null default 1,
  claimed_at bigint not null default 0,
  -- The transactions (pg_snapshot) that its last claim saw. What they changed needs no further render.
  seen text,
  -- When a render was kept last, also where it changed nothing.
  rendered_at bigint not null default 0
);
create index status_pages_owner on status_pages (owner_id);
create index status_pages_due on status_pages (due_at) where published;

-- What visitors see of an app or of a proxied domain, in the order of its page.
create table status_components (
  id uuid primary key default gen_random_uuid(),
  page_id uuid not null references status_pages (id) on delete cascade,
  app_id uuid references apps (id) on delete cascade,
  proxy_id uuid references proxies (id) on delete cascade,
  name text not null,
  group_name text not null default '',
  position integer not null,
  constraint status_components_target check (num_nonnulls(app_id, proxy_id) = 1),
  constraint status_components_once unique nulls not distinct (page_id, app_id, proxy_id)
);
create index status_components_app on status_components (app_id);
create index status_components_proxy on status_components (proxy_id);

create table status_posts (
  id uuid primary key default gen_random_uuid(),
  page_id uuid not null references status_pages (id) on delete cascade,
  kind text not null check (kind in ('incident', 'maintenance')),
  title text not null,
  created_at bigint not null,
  starts_at bigint,
  ends_at bigint,
  -- The apps and proxies that a maintenance concerns; none for all of the page.
  affects text[] not null default '{}',
  constraint status_posts_times check (
    (kind = 'maintenance') = (starts_at is not null) and (starts_at is null) = (ends_at is null) and starts_at < ends_at)
);
create index status_posts_page on status_posts (page_id, created_at desc);

create table status_updates (
  id uuid primary key default gen_random_uuid(),
  post_id uuid not null references status_posts (id) on delete cascade,
  state text check (state in ('investigating', 'identified', 'watching', 'resolved')),
  text text not null,
  at bigint not null,
  -- Updates of the same moment keep their order.
  number bigint generated always as identity
);
create index status_updates_post on status_updates (post_id, at desc);

-- What visitors get: the page, its feed, its JSON and its badge. `gzip` is the same, compressed.
create table status_renders (
  page_id uuid not null references status_pages (id) on delete cascade,
  file text not null check (file in ('page', 'feed.atom', 'status.json', 'badge.svg')),
  body bytea not null,
  gzip bytea not null,
  etag text not null,
  at bigint not null default 0,
  primary key (page_id, file)
);

-- Of a proxied domain on a page: the minutes of each hour (UTC) in which somebody asked its websites. Single minutes are kept for two days
-- only, and requests would say how busy a minute was.
create table status_minutes (
  proxy_id uuid not null references proxies (id) on delete cascade,
  at bigint not null,
  up smallint not null,
  down smallint not null,
  primary key (proxy_id, at)
);

-- These triggers only send. One that wrote to a page would wait for the page's row while it holds that of an app, and whoever changes the page
-- waits the other way round.
create function tell_status_due(page uuid) returns void language sql as $$
  select pg_notify('status_due', json_build_object('page', page, 'tx', pg_current_xact_id()::text)::text)
$$;

create function status_page_is_due() returns trigger language plpgsql as $$
begin
  perform tell_status_due(coalesce(new.page_id, old.page_id));
  return null;
end $$;
create trigger status_page_is_due after insert or update or delete on status_components
  for each row execute function status_page_is_due();
create trigger status_page_is_due after insert or update or delete on status_posts
  for each row execute function status_page_is_due();

create function status_post_is_due() returns trigger language plpgsql as $$
begin
  perform tell_status_due(p.page_id) from status_posts p where p.id = coalesce(new.post_id, old.post_id);
  return null;
end $$;
create trigger status_post_is_due after insert or update or delete on status_updates
  for each row execute function status_post_is_due();

create function status_check_is_due() returns trigger language plpgsql as $$
begin
  perform tell_status_due(c.page_id) from status_components c where c.app_id = coalesce(new.app_id, old.app_id);
  return null;
end $$;
create trigger status_check_is_due after update on checks for each row
  when (old.confirmed is distinct from new.confirmed or (old.due_at is null) <> (new.due_at is null)
    or (old.unknown_since is null) <> (new.unknown_since is null))
  execute function status_check_is_due();
create trigger status_check_is_set after insert or delete on checks for each row execute function status_check_is_due();

create function status_proxy_is_due() returns trigger language plpgsql as $$
begin
  perform tell_status_due(c.page_id) from status_components c where c.proxy_id = new.id;
  return null;
end $$;
create trigger status_proxy_is_due after update on proxies for each row
  when (old.failing_rules is distinct from new.failing_rules or old.unserved_at is distinct from new.unserved_at
    or old.allowed is distinct from new.allowed or old.holds is distinct from new.holds)
  execute function status_proxy_is_due();

create function status_page_changed() returns trigger language plpgsql as $$
begin
  perform tell_status_due(new.id);
  return null;
end $$;
create trigger status_page_changed after update on status_pages for each row
  when (old.title is distinct from new.title or old.slug is distinct from new.slug or old.published is distinct from new.published)
  execute function status_page_changed();

-- Processes that serve pages read this one again: it was rendered, its address is another one, or it is hidden or gone.
create function tell_status_render() returns trigger language plpgsql as $$
begin
  perform pg_notify('status_render', json_build_object('page', coalesce(new.page_id, old.page_id))::text);
  return null;
end $$;
create trigger tell_status_render after insert or update or delete on status_renders
  for each row execute function tell_status_render();

create function tell_status_address() returns trigger language plpgsql as $$
begin
  -- What is hidden or gone, or has moved, goes from memory before anything is read.
  perform pg_notify('status_render', json_build_object('page', old.id, 'gone', true)::text);
  return null;
end $$;
create trigger tell_status_address after update on status_pages for each row
  when (old.slug is distinct from new.slug or old.published and not new.published)
  execute function tell_status_address();
create trigger tell_status_end after delete on status_pages for each row execute function tell_status_address();

create function tell_status_rendered() returns trigger language plpgsql as $$
begin
  perform pg_notify('status_render', json_build_object('page', new.id, 'at', new.rendered_at)::text);
  return null;
end $$;
create trigger tell_status_rendered after update on status_pages for each row
  when (old.rendered_at is distinct from new.rendered_at and new.published) execute function tell_status_rendered();
