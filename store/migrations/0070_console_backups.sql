-- Backups of the console itself, which its owner begins on a page or a schedule makes. Their files are in the folder of the machine that
-- made them.
create table console_backups (
  id uuid primary key default gen_random_uuid(),
  started_by text not null check (started_by in ('owner', 'schedule')),
  state text not null default 'running' check (state in ('running', 'done', 'failed')),
  encrypted boolean not null,
  file text not null,
  started_at bigint not null,
  -- The process that makes it says from time to time that it lives.
  alive_at bigint not null,
  ended_at bigint,
  rows bigint,
  bytes bigint,
  -- Of the file.
  sha256 text,
  failure text,
  checked_at bigint,
  is_intact boolean
);
-- One at a time, over all processes.
create unique index console_backups_one on console_backups ((true)) where state = 'running';

-- For whom backups are encrypted, and when one is made. There is one row at most.
create table console_backup_plan (
  one boolean primary key default true check (one),
  recipient text,
  daily_at smallint check (daily_at between 0 and 1439),
  keep smallint not null,
  due_at bigint,
  -- A schedule makes no backup that anybody could read.
  check (daily_at is null or recipient is not null)
);
