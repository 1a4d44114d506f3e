import type pg from 'pg';

/**
 * Takes the next regular look at something, which one process makes for all. Null where it is not time yet, another process took it,
 * or the console was restored and nobody has confirmed it; else since when looks have followed each other without a gap: before that nobody watched.
 *
 * @param gapMs looks further apart than this have a gap between them
 */
export async function claimLook(
  pool: pg.Pool,
  what: string,
  { now, everyMs, gapMs }: { now: number; everyMs: number; gapMs: number },
): Promise<{ since: number } | null> {
  const { rows } = await pool.query<{ since: number }>({
    name: 'claim_look',
    text: `insert into notice_looks as l (what, looked_at, since) select $1, $2::bigint, $2::bigint where may_act()
      on conflict (what) do update set looked_at = $2, since = case when l.looked_at < $2 - $4::bigint then $2 else l.since end
      where l.looked_at <= $2 - $3::bigint returning since`,
    values: [what, now, everyMs, gapMs],
  });
  return rows[0] ?? null;
}
