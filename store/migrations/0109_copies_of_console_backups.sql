-- stage: expand
-- Copies of the console's backups, which rclone makes at the remote that the operator names. An older program copies nothing and leaves
-- these columns null. `copy_at`: when the copying ended.
alter table console_backups
  add column copy_state text check (copy_state in ('copying', 'copied', 'failed')),
  add column copied_to text,
  add column copy_at bigint,
  add column copy_note text;
