-- An installation that ends early leaves its server in a state from which the page offers another try, however it ends: by a
-- failure, by a person, or because its console vanished, which no code of that console can record.
create function settle_setup() returns trigger language plpgsql as $$
begin
  update servers set setup = 'failed' where id = new.server_id and setup = 'installing';
  return null;
end $$;

create trigger settle_setup after update of state on operations for each row
  when (new.kind = 'server.install' and new.state in ('failed', 'cancelled', 'interrupted'))
  execute function settle_setup();

update servers set setup = 'failed' where setup = 'installing' and not exists (
  select from operations
  where operations.server_id = servers.id and operations.kind = 'server.install'
    and operations.state in ('queued', 'running', 'waiting')
);
