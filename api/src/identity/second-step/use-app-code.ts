import type { Database } from '@homeport/store';
import { type Kysely, sql } from 'kysely';
import { stepOfAppCode } from './app-code.ts';

/**
 * Accepts a code of the account's authenticator app once (RFC 6238, 5.2). Returns false for a wrong code, and for one whose step is not
 * later than the last accepted one. One statement decides, so that of two uses at once only one passes.
 */
export async function useAppCode(
  db: Kysely<Database>,
  { userId, secret, code, now }: { userId: string; secret: string; code: string; now: number },
): Promise<boolean> {
  const step = stepOfAppCode(secret, code, now);
  if (step === null) return false;
  const { rows } = await sql`
    insert into used_app_codes as used (owner_id, step) values (${userId}, ${step})
      on conflict (owner_id) do update set step = excluded.step where used.step < excluded.step
      returning step`.execute(db);
  return rows.length === 1;
}

/** The account's sealed secret, also before the first code turned the second step on. Null without one. */
export async function sealedSecret(db: Kysely<Database>, userId: string): Promise<string | null> {
  const { rows } = await sql<{ secret: string }>`
    select secret from auth."twoFactor" where "userId" = ${userId}`.execute(db);
  return rows[0]?.secret ?? null;
}
