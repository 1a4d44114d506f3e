-- How an app ended that nobody stopped, as JSON; null while it runs, is stopped or was never deployed. A crash does not pause
-- the check of the app: `stopped` alone does, and from now on `stopped` is true of apps that somebody stopped, no others.
alter table apps add column crash text;
-- The branch whose push deploys; null while the server has none for the app: the first branch that is pushed becomes it.
alter table apps add column deploy_branch text;

-- Plan 0 is free, and a person has it twice at most (`freePlanLimit` of the contract). Work that will put an app on it holds a
-- place from the moment that it is asked for. Whoever takes a place takes the person's lock first, so of two at once the second
-- counts the first.
create function refuse_free_plan(held bigint) returns void language plpgsql as $$
begin
  if held >= 2 then
    raise exception 'plan 0 is used up' using errcode = 'check_violation', constraint = 'apps_free_plan';
  end if;
end $$;

create function lock_free_plan(person uuid) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended('homeport free plan ' || person, 0))
$$;

create function limit_free_apps() returns trigger language plpgsql as $$
begin
  perform lock_free_plan(new.owner_id);
  -- The insert of an app that is there already becomes an update, and takes no second place.
  perform refuse_free_plan((
    select count(*) from apps
    where owner_id = new.owner_id and plan = 0 and (server_id, longname) <> (new.server_id, new.longname)));
  return new;
end $$;
create trigger limit_free_apps_added before insert on apps for each row when (new.plan = 0)
  execute function limit_free_apps();
create trigger limit_free_apps_changed before update on apps for each row when (new.plan = 0 and old.plan <> 0)
  execute function limit_free_apps();

create function limit_free_work() returns trigger language plpgsql as $$
begin
  -- An app that is on plan 0 already has its place.
  if exists (select from apps where id = new.app_id and plan = 0) then
    return new;
  end if;
  perform lock_free_plan(new.owner_id);
  perform refuse_free_plan((
    (select count(*) from apps where owner_id = new.owner_id and plan = 0)
    + (select count(*) from operations o
      where o.owner_id = new.owner_id and o.id <> new.id and o.input ->> 'plan' = '0'
        and o.state in ('queued', 'running', 'waiting') and o.kind in ('app.create', 'app.plan')
        and not exists (select from apps a where a.id = o.app_id and a.plan = 0))));
  return new;
end $$;
create trigger limit_free_work_added before insert on operations for each row
  when (new.kind in ('app.create', 'app.plan') and new.input ->> 'plan' = '0')
  execute function limit_free_work();
create trigger limit_free_work_again before update on operations for each row
  when (new.kind in ('app.create', 'app.plan') and new.input ->> 'plan' = '0' and new.state = 'queued' and old.state <> 'queued')
  execute function limit_free_work();
