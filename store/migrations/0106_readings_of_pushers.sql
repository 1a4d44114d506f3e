-- stage: contract since 0105
-- What a server told of the keys that may push to an app. The check becomes wider: a program that knows step 0105 chooses the parts of a
-- reading by their names, and leaves one alone that it does not know.
alter table readings drop constraint readings_part_check;
alter table readings add constraint readings_part_check
  check (part in ('deploys', 'resources', 'system', 'storage', 'readme', 'processes', 'pushers'));
