import type pg from 'pg';

export type RestFacts = {
  keepTokens: boolean;
  now: number;
  /** When the backup was made. */
  backupAt: number;
};

/**
 * Ends what was under way when the backup was made, so that none of it comes back alive, and notes that nobody has confirmed this
 * console yet.
 */
export async function layToRest(client: pg.Client, { keepTokens, now, backupAt }: RestFacts): Promise<void> {
  // A token that was revoked after the backup would work again.
  if (!keepTokens) await client.query('delete from api_tokens');
  await client.query(interruptOperations, [now, 'This operation was under way when the backup was made.']);
  // Whoever was to hear of it has heard of it, or it is old by now.
  await client.query('delete from notice_deliveries where message_id is null');
  await client.query(
    `update notice_messages set state = 'unsent', ended_at = $1, version = version + 1,
       answer = 'It waited when the backup was made.' where state = 'waiting'`,
    [now],
  );
  await client.query('update incidents set noticed = true where ended_at is not null');
  await client.query('update operations set noticed_at = ended_at where ended_at is not null');
  await client.query(
    'update apps set deploy_noticed_at = deploy_failed_at where deploy_failed_at is not null',
  );
  await client.query('update checks set version = version + 1, against = 0, turned_at = null');
  await client.query('insert into restorations (backup_at, restored_at) values ($1, $2)', [backupAt, now]);
}

/** The step that ran is the one that the page shows as broken off. The log says why. */
const interruptOperations = `with ended as (
    update operations o set state = 'interrupted', waiting_for = null, ended_at = $1, replica_id = null,
      steps = coalesce((select jsonb_agg(case when step ->> 'state' = 'running'
        then step || jsonb_build_object('endedAt', coalesce(greatest((step ->> 'startedAt')::bigint,
          (select max(l.at) from operation_lines l where l.operation_id = o.id)), $1)) else step end order by place)
        from jsonb_array_elements(o.steps) with ordinality as steps (step, place)), '[]')
    where state in ('queued', 'running', 'waiting') returning id, steps)
  insert into operation_lines (operation_id, seq, at, step, stream, text)
  select e.id, coalesce((select max(seq) from operation_lines l where l.operation_id = e.id), 0) + 1, $1,
    coalesce((select step ->> 'key' from jsonb_array_elements(e.steps) as step where step ->> 'state' = 'running' limit 1), ''),
    'note', $2 || ' The finished steps are kept. Run this operation again to continue from here.' from ended e`;
