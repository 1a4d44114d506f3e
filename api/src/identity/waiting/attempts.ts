import type { Store } from '@homeport/store';
import { sql } from 'kysely';

export type AttemptRule = {
  /** Attempts that are free. The last of them starts the first wait. */
  free: number;
  /** Free attempts are counted together while each comes within this time of the one before. */
  withinMs: number;
};

export const attemptRules = {
  'sign-in': { free: 10, withinMs: 15 * 60_000 },
  'password-reset': { free: 5, withinMs: 60 * 60_000 },
  /** The password of a person who is signed in, asked for again before a change of the account. */
  'password-check': { free: 10, withinMs: 15 * 60_000 },
  /** Messages that verify an address. A sign-in with an unverified address sends one too. */
  verification: { free: 5, withinMs: 60 * 60_000 },
  /** Changes of the e-mail address that a person begins. Each sends a message to the present address. */
  'email-change': { free: 5, withinMs: 60 * 60_000 },
  /** Messages to the new address of a change, from all accounts together: nobody else's mailbox is filled. */
  'email-change-to': { free: 5, withinMs: 60 * 60_000 },
} as const satisfies Record<string, AttemptRule>;

/** The wait doubles with each attempt that follows a wait. */
export const waitsMs = { first: 60_000, longest: 60 * 60_000 } as const;
/**
 * After a wait, the count is kept for this time. A caller who comes back sooner continues with the next wait.
 */
export const rememberedMs = 24 * 60 * 60_000;

/**
 * Counts one attempt and returns 0, or returns the seconds to wait. One statement decides and counts, so of
 * simultaneous attempts in all replicas exactly the free ones get 0. A refused attempt does not prolong the
 * wait.
 */
export async function takeAttempt(
  { db }: Pick<Store, 'db'>,
  key: Buffer,
  { free, withinMs }: AttemptRule,
  now: number,
): Promise<number> {
  const count = sql<number>`case when held.forgotten_at <= ${now} then 1 else held.count + 1 end`;
  const wait = sql`least(${waitsMs.longest}::bigint, ${waitsMs.first}::bigint << least(${count} - ${free}, 16))`;
  const { rows } = await sql`
    insert into attempts as held (key, count, refused_until, forgotten_at)
      values (${key}, 1, 0, ${now + withinMs})
    on conflict (key) do update set
      count = ${count},
      refused_until = case when ${count} < ${free} then 0 else ${now}::bigint + ${wait} end,
      forgotten_at = case when ${count} < ${free} then ${now + withinMs}::bigint else ${now + rememberedMs}::bigint end
      where held.refused_until <= ${now}
    returning 1`.execute(db);
  if (rows.length > 0) return 0;
  const held = await db
    .selectFrom('attempts')
    .select('refused_until')
    .where('key', '=', key)
    .executeTakeFirst();
  return Math.max(1, Math.ceil(((held?.refused_until ?? now) - now) / 1000));
}

export async function forgetAttempts({ db }: Pick<Store, 'db'>, keys: readonly Buffer[]): Promise<void> {
  await db.deleteFrom('attempts').where('key', 'in', keys).execute();
}
