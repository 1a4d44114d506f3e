import { programCallLimits } from '@homeport/contract/program-calls/facts';
import { proposalLimits } from '@homeport/contract/proposals/facts';
import { repeatWork, type Store } from '@homeport/store';
import { sql } from 'kysely';

const dayMs = 24 * 60 * 60_000;
/** Longer than every window of the rate limits. */
const countsKeptMs = 60 * 60_000;

/**
 * Removes expired counts of the rate limits, expired tokens, old lines of what programs did, and old proposals. Callers choose their addresses and the e-mail
 * addresses that they try, so these tables would grow for as long as the console runs. Returns the function
 * that stops this.
 */
export function keepDroppingStale(
  store: Store,
  clock: () => number,
  onError: (error: unknown) => void,
): () => void {
  const drops = repeatWork('stale', () => dropStale(store, clock()), onError);
  return () => void drops.stop();
}

export async function dropStale({ db }: Pick<Store, 'db'>, now: number): Promise<void> {
  await sql`delete from auth."rateLimit" where "lastRequest" < ${now - countsKeptMs}`.execute(db);
  await db.deleteFrom('attempts').where('forgotten_at', '<=', now).execute();
  await db.deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute();
  await db.deleteFrom('device_codes').where('expires_at', '<=', now).execute();
  await db.deleteFrom('github_visits').where('expires_at', '<=', now).execute();
  await db.deleteFrom('email_changes').where('expires_at', '<=', now).execute();
  const callsEnd = now - programCallLimits.days * dayMs;
  await db.deleteFrom('program_calls').where('last_at', '<=', callsEnd).execute();
  const proposalsEnd = now - proposalLimits.days * dayMs;
  await db.deleteFrom('proposals').where('expires_at', '<=', proposalsEnd).execute();
  await sql`delete from auth.verification where "expiresAt" < ${new Date(now)}`.execute(db);
}
