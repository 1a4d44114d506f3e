-- Schedules of backups, as their servers told them last. A server makes its backups by itself; these rows say what to expect of
-- it. The secrets of an S3 address are not here: the server keeps them.
create table backup_schedules (
  database_id uuid primary key references databases (id) on delete cascade,
  owner_id uuid not null references auth."user" (id) on delete cascade,
  -- As the contract has it; null: the server has none.
  told jsonb,
  -- The console began to write on the server and has no answer yet. After its sudden end, only the server knows what holds.
  unsure boolean not null default false,
  -- The run that is expected next, in epoch milliseconds; null while none is: no schedule, or a paused one.
  due_at bigint,
  -- When the run was due that did not come.
  missed_at bigint
);
create index backup_schedules_owner on backup_schedules (owner_id);
create index backup_schedules_due on backup_schedules (due_at) where due_at is not null;

-- Runs, as servers told them. Each database keeps its newest ones.
create table backup_runs (
  database_id uuid not null references databases (id) on delete cascade,
  id uuid not null,
  owner_id uuid not null references auth."user" (id) on delete cascade,
  state text not null check (state in ('running', 'succeeded', 'failed')),
  began_at bigint not null,
  duration_s bigint not null,
  bytes bigint,
  sha256 text,
  target text not null,
  failure text,
  text text,
  primary key (database_id, id)
);
create index backup_runs_newest on backup_runs (database_id, began_at desc);
create index backup_runs_owner on backup_runs (owner_id);

-- {kind, at}: the last run failed, or one did not come; null: neither. The monitor tells people of it, and pages show it.
create function backup_problem(of_database uuid) returns jsonb language sql stable as $$
  select case
    when s.missed_at is not null and coalesce(r.began_at, 0) < s.missed_at - 120000
      then jsonb_build_object('kind', 'missed', 'at', s.missed_at)
    when r.state = 'failed' then jsonb_build_object('kind', 'failed', 'at', r.began_at)
  end
  from backup_schedules s left join lateral (
    select state, began_at from backup_runs b where b.database_id = s.database_id and b.state <> 'running'
    order by b.began_at desc limit 1) r on true
  where s.database_id = of_database and s.due_at is not null
$$;
