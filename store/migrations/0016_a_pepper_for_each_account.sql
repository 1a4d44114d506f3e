-- Each account has a profile with its pepper from the moment that the account exists, so that reading the profile writes nothing.
-- Before, the first reading made the profile. Two random UUIDs hold 244 random bits (PostgreSQL takes them from the system's
-- generator of cryptographic randomness).
create function new_pepper() returns text language sql volatile as $$
  select encode(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), 'base64')
$$;

create function make_profile() returns trigger language plpgsql as $$
begin
  insert into profiles (owner_id, pepper, created_at)
    values (new.id, new_pepper(), (extract(epoch from now()) * 1000)::bigint);
  return new;
end $$;
create trigger make_profile after insert on auth."user" for each row execute function make_profile();

insert into profiles (owner_id, pepper, created_at)
  select id, new_pepper(), (extract(epoch from now()) * 1000)::bigint from auth."user"
  on conflict (owner_id) do nothing;
