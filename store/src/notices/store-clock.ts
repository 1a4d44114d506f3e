import type pg from 'pg';

/** A smaller difference is the way to the store, and no claim is that short. */
const sameMs = 1_000;

/**
 * How many milliseconds the store's clock is ahead of this machine's. Replicas on machines whose clocks differ would take each
 * other's claims for ended. Zero where the clocks agree.
 */
export async function clockAhead(pool: pg.Pool): Promise<number> {
  const asked = Date.now();
  const { rows } = await pool.query<{ at: number }>(
    `select (extract(epoch from clock_timestamp()) * 1000)::bigint as at`,
  );
  const answered = Date.now();
  const at = rows[0]?.at ?? answered;
  // Anywhere between asking and answering is the moment that the store read.
  if (at < asked) return asked - at < sameMs ? 0 : at - asked;
  return at - answered < sameMs ? 0 : at - answered;
}
