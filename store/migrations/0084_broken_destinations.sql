-- When news found that a destination takes nothing any more, in epoch milliseconds. Its person is told by the other destinations.
alter table notice_destinations add column broken_at bigint;
