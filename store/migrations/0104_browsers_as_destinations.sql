-- stage: expand
-- Of a browser that takes news: the SHA-256 of its push address. The browser knows itself by it, and is one destination of an account.
alter table notice_destinations add column device text;
create unique index notice_destinations_device on notice_destinations (owner_id, device);
