-- stage: expand
-- How many messages a destination gets within any hour. Further news waits and leaves as one summary.
alter table notice_destinations add column per_hour smallint not null default 10
  constraint notice_destinations_per_hour check (per_hour between 2 and 60);
