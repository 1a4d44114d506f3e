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

-- A change of a person's e-mail address that is not over. Both addresses confirm it, the present one first. The token of the link
-- that it waits for stands here as a hash, so that the table confirms nothing.
create table email_changes (
  owner_id uuid primary key references auth."user" (id) on delete cascade,
  email text not null,
  waits_for text not null check (waits_for in ('present', 'new')),
  token_hash bytea not null unique,
  begun_at bigint not null,
  expires_at bigint not null
);
create index email_changes_expiry on email_changes (expires_at);
