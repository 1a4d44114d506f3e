import { sql } from 'kysely';
import type { OwnerWrite } from '../owner.ts';

/**
 * Has the owner's app checked at this domain and path from now on, in place of the earlier address. The app's standing begins
 * anew, its series stay. The check is paused while the app is stopped or the domain is not the app's. The same domain and path
 * again change nothing.
 */
export async function setUpCheck(
  { owner, db }: Pick<OwnerWrite, 'owner' | 'db'>,
  { appId, domain, path, now }: { appId: string; domain: string; path: string; now: number },
): Promise<void> {
  await sql`
    with app as (
      select id, case when not stopped and ${domain}::text = any(domains) then ${now}::bigint end as due_at
      from apps where id = ${appId} and owner_id = ${owner}),
    set_up as (
      insert into checks as c (app_id, domain, path, created_at, due_at)
      select id, ${domain}::text, ${path}::text, ${now}::bigint, due_at from app
      on conflict (app_id) do update set domain = excluded.domain, path = excluded.path, due_at = excluded.due_at,
        version = c.version + 1, confirmed = null, confirmed_at = null, against = 0, turned_at = ${now}::bigint,
        unknown_since = null, latest = null
      where c.domain <> excluded.domain or c.path <> excluded.path
      returning c.id),
    ended as (
      update incidents i set ended_at = greatest(${now}::bigint, i.started_at) from set_up
      where i.check_id = set_up.id and i.ended_at is null)
    select 1`.execute(db);
}

/** Removes the check of the owner's app with all its measurements. @returns whether there was a check */
export async function removeCheck(
  { owner, db }: Pick<OwnerWrite, 'owner' | 'db'>,
  appId: string,
): Promise<boolean> {
  const removed = await db
    .deleteFrom('checks')
    .where('app_id', '=', appId)
    .where('app_id', 'in', db.selectFrom('apps').select('id').where('owner_id', '=', owner))
    .executeTakeFirst();
  return removed.numDeletedRows > 0n;
}
