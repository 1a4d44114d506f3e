-- Somebody cancelled the operation by another process than the one that runs it. The process that runs it looks here, also where it missed
-- the notification.
alter table operations add column cancel_asked boolean not null default false;
