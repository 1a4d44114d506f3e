-- Without a credential a server is read-only: its agent reports, and the console logs in nowhere.
alter table servers alter column credential drop not null;

-- Where the server stands, in its person's words.
alter table servers add column location text not null default '';
