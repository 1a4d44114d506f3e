-- A deploy may answer at another address, and whoever deployed wants to know now whether it does. What is being asked at that
-- moment was begun before: its claim ends, and neither it nor the failures so far count for what is there now.
create or replace function check_deploy() returns trigger language plpgsql as $$
begin
  update checks set due_at = least(due_at, floor(extract(epoch from clock_timestamp()) * 1000)::bigint),
    version = version + 1, against = 0, turned_at = null
  where app_id = new.id and due_at is not null;
  return null;
end $$;
create or replace trigger check_deploy after update on apps for each row
  when (old.deployed_at is distinct from new.deployed_at or old.deploy_status is distinct from new.deploy_status
    or old.url is distinct from new.url)
  execute function check_deploy();
