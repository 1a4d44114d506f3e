-- The provider of the machine, by what its firmware says of itself. Null: it names none, or nobody has looked.
alter table servers add column provider text;
