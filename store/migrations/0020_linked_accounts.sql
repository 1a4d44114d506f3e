-- A person's account at another service, and the credential that the person gave for it. The credential is sealed: the console
-- opens it with a key that is made from the console's secret and the person's id. In clear stand its last four characters only.
create table linked_accounts (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth."user" (id) on delete cascade,
  -- 'cloudflare', 'github'. The contract lists the services; a new one needs no change here.
  service text not null,
  -- The kind of credential, in the words of the service: 'token', 'global_key'.
  kind text not null,
  -- The account's name at the service, where the service tells it or the person typed it: an e-mail address, a login.
  name text,
  -- Format, number of the key, nonce, tag and ciphertext: api/src/sealing.
  sealed bytea not null,
  last_four text not null check (char_length(last_four) <= 4),
  -- What the service told of the account and of what the credential may do.
  facts jsonb not null default '{}',
  -- Why the service refused the credential when it was used last; null: it did not.
  problem text,
  linked_at bigint not null,
  checked_at bigint not null,
  version integer not null default 1,
  unique (owner_id, service),
  unique (id, owner_id)
);

-- The zones that a linked account lists, as the service told them last. Two persons may link the same zone, so that each has a row.
create table zones (
  account_id uuid not null,
  owner_id uuid not null,
  -- Cloudflare's id.
  id text not null,
  -- In ASCII, as Cloudflare tells it.
  name text not null,
  status text not null,
  type text not null,
  paused boolean not null,
  -- False: the credential was refused a change here. Null: it was not tried.
  editable boolean,
  created_at bigint not null,
  primary key (owner_id, id),
  foreign key (account_id, owner_id) references linked_accounts (id, owner_id) on delete cascade
);
create index zones_account on zones (account_id);

-- The addresses of servers that were removed here. A record that still points at one leads to a machine that may be somebody
-- else's by now.
create table former_addresses (
  owner_id uuid not null references auth."user" (id) on delete cascade,
  ip text not null,
  server_name text not null,
  removed_at bigint not null,
  primary key (owner_id, ip)
);
create function remember_address() returns trigger language plpgsql as $$
begin
  if old.simulated or not exists (select from auth."user" where id = old.owner_id) then return null; end if;
  insert into former_addresses values (old.owner_id, old.ip, old.name, (extract(epoch from clock_timestamp()) * 1000)::bigint)
    on conflict (owner_id, ip) do update set server_name = excluded.server_name, removed_at = excluded.removed_at;
  delete from former_addresses f where f.owner_id = old.owner_id and f.ip not in
    (select ip from former_addresses where owner_id = old.owner_id order by removed_at desc limit 1000);
  return null;
end $$;
create trigger remember_address after delete on servers for each row execute function remember_address();
