-- stage: expand
-- When somebody said that they look into the incident, in epoch milliseconds, and who, by their name of that moment.
alter table notice_threads add column acknowledged_at bigint, add column acknowledged_by text,
  add constraint notice_threads_acknowledged check ((acknowledged_at is null) = (acknowledged_by is null));
