-- stage: expand
-- A copy that failed is tried again. `copy_tries`: how many tries failed. `copy_due_at`: when the next one is due, in epoch milliseconds; null: none
-- is. An older program tries nothing again, and counts nothing.
alter table console_backups
  add column copy_tries integer not null default 0,
  add column copy_due_at bigint;
