-- stage: expand
-- Which step a program has to know to run on the tables of a step that it does not know; 0: none. Null: the step itself (decision 0133).
alter table migration add column needs integer check (needs >= 0);
