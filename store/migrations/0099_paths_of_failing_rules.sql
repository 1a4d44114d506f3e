-- A failing rule keeps its path beside its figures: who reads that a website fails does not unpack the rules, which may be a MiB.
create function rename_failing_rules(failing jsonb, records jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(known.rule, known.figures || jsonb_build_object('path', there ->> 'path')), '{}')
  from jsonb_each(failing) as known (rule, figures)
  left join jsonb_array_elements(records) as there on there ->> 'id' = known.rule
  where known.rule = 'source' or there is not null
$$;

update proxies set failing_rules = rename_failing_rules(failing_rules, records) where failing_rules <> '{}';

create function keep_failing_rules() returns trigger language plpgsql as $$
begin
  new.failing_rules := rename_failing_rules(new.failing_rules, new.records);
  return new;
end
$$;
create trigger keep_failing_rules before update of records on proxies for each row
  when (new.failing_rules <> '{}') execute function keep_failing_rules();
