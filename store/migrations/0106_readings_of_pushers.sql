-- stage: expand
-- What a server told of the keys that may push to an app. An older program neither writes nor reads such a row.
alter table readings drop constraint readings_part_check;
alter table readings add constraint readings_part_check
  check (part in ('deploys', 'resources', 'system', 'storage', 'readme', 'processes', 'pushers'));
