-- What the server told of an app's types of process is kept as well.
alter table readings drop constraint readings_part_check;
alter table readings add constraint readings_part_check
  check (part in ('deploys', 'resources', 'system', 'storage', 'readme', 'processes'));
