-- One-off commands in the apps of a server are off until its owner allows them.
alter table servers add column commands_allowed boolean not null default false;
