-- When a server was first found without the app, which somebody destroyed there; null while the server has the app. Epoch
-- milliseconds.
alter table apps add column missing_since bigint;
