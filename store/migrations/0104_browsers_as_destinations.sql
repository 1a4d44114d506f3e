-- stage: expand
-- Of a browser that takes news: the SHA-256 of its push address. The browser knows itself by it, and is one destination of an account.
-- An older program does not know the kind `web-push`: of an account that has such a destination it cannot list the destinations, and its messages
-- to browsers wait until a program comes that knows the kind.
alter table notice_destinations add column device text;
create unique index notice_destinations_device on notice_destinations (owner_id, device);
