-- Which key the console's own account on a server accepts, as its fingerprint: after the server's credential was changed it
-- is another than the credential's, until the account is updated.
alter table servers add column account_key text;

update servers set account_key = keys.fingerprint
  from keys
  where servers.console_account and keys.owner_id = servers.owner_id and keys.id = servers.credential;
