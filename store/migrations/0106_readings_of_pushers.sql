-- What a server told of the keys that may push to an app. A check that PostgreSQL makes anew is no expand, so no older program runs on it.
alter table readings drop constraint readings_part_check;
alter table readings add constraint readings_part_check
  check (part in ('deploys', 'resources', 'system', 'storage', 'readme', 'processes', 'pushers'));
