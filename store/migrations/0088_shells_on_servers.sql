-- Terminals on a server itself are off until its owner allows them.
alter table servers add column shell_allowed boolean not null default false;
