-- `ended`: the container does not run, and the server does not tell whether somebody stopped it.
alter table databases
  drop constraint databases_state_check,
  add constraint databases_state_check check (
    state in ('running', 'paused', 'exited', 'ended', 'missing', 'created', 'restarting', 'unknown')
  ),
  -- {exitCode, outOfMemory} of a container that has ended; null: it has not, or its server does not tell.
  add column ending jsonb;
