-- Tries at the password of an account, and messages asked for it. Counted whether or not there is such an account.
create table attempts (
  -- A keyed hash of what is tried, the e-mail address and, for a browser that signed in to the account before, that browser.
  key bytea primary key,
  count integer not null,
  -- Until then every further try is refused.
  refused_until bigint not null,
  -- Without a further try, the count says nothing from then on.
  forgotten_at bigint not null
);
create index attempts_forgotten on attempts (forgotten_at);
