-- When the console last began to ask the service for a linked account's zones by itself. Several consoles take turns by this column,
-- and a refused credential is not sent each time.
alter table linked_accounts add column asked_at bigint not null default 0;
