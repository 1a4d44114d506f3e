-- Since when backups of the console are made each day, in epoch milliseconds: a day that has passed since then without one is news.
alter table console_backup_plan add column daily_since bigint;
update console_backup_plan set daily_since = floor(extract(epoch from clock_timestamp()) * 1000) where daily_at is not null;
alter table console_backup_plan add constraint console_backup_plan_since check ((daily_at is null) = (daily_since is null));
