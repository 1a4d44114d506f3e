-- The one row says that this database was restored from a backup. While `confirmed_at` is null, nobody has said that this console is
-- the one that goes on: the console that was backed up may still run. So this one mails nothing, checks nothing and runs no schedule.
create table restorations (
  one boolean primary key default true check (one),
  -- When the backup was made, and when it was restored.
  backup_at bigint not null,
  restored_at bigint not null,
  confirmed_at bigint
);

-- Whether the console may act by itself. Whatever it does without being asked, it asks this first, in the statement that claims the work.
create function may_act() returns boolean language sql stable as $$
  select not exists (select from restorations where confirmed_at is null)
$$;
