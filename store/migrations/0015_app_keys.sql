-- The ids of the owner's keys that may push to the app. Empty: every key of the server may. Null: not known, because the app was
-- made elsewhere or before this column. A key may be removed from the console later and still push, so this is no reference.
alter table apps add column keys text[];
