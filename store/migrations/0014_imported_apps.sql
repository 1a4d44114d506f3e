-- Null: Homeport set no limits. An app that was made elsewhere may have none, or others than any plan has.
alter table apps alter column plan drop not null;
-- The app was imported and not read from its server since: its domains, its limits and its state are not known. Apps that were
-- imported before have the default plan as if it were theirs, so they are read again.
alter table apps add column unread boolean not null default false;
update apps set unread = true where imported;
