-- A person's picture. The console serves it itself, so that nobody else sees when a page shows it.
create table avatars (
  owner_id uuid primary key references auth."user" (id) on delete cascade,
  -- Of its bytes: another picture has another address, so that a browser may keep each.
  version text not null,
  type text not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
  -- Base64 of at most 256 KiB: the form in which the export hands it over.
  picture text not null check (length(picture) <= 349528),
  source text not null check (source in ('chosen', 'github')),
  kept_at bigint not null
);
