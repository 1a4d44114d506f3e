-- stage: expand
-- `after_minutes`: news that something began goes there after this time, where it goes on and nobody has acknowledged it. `repeat_hours`: what goes on
-- unacknowledged is repeated this often. Null: it is not.
alter table notice_destinations
  add column after_minutes smallint not null default 0
    constraint notice_destinations_after check (after_minutes between 0 and 60),
  add column repeat_hours smallint constraint notice_destinations_repeat check (repeat_hours between 1 and 24);

-- The news that the message repeats. Whether that still goes on is asked when it is sent.
alter table notice_messages add column repeats uuid[];
-- When a message last repeated the news there, in epoch milliseconds.
alter table notice_deliveries add column repeated_at bigint;
