import { hash, randomBytes } from 'node:crypto';
import { passkeyMinutes } from '@homeport/contract/passkeys/facts';
import type { Database } from '@homeport/store';
import type { Kysely } from 'kysely';

/** Whom a challenge is for: a session that adds a passkey, or the browser that signs in, by the word in its cookie. */
export type ChallengeFor = { session: string } | { browser: string };

type Deps = { db: Kysely<Database>; clock: () => number };

/** Makes a challenge of 256 random bits, as base64url. A session has one at a time. */
export async function makeChallenge({ db, clock }: Deps, asker: ChallengeFor): Promise<string> {
  const challenge = randomBytes(32).toString('base64url');
  if ('session' in asker)
    await db.deleteFrom('passkey_challenges').where('session_id', '=', asker.session).execute();
  await db
    .insertInto('passkey_challenges')
    .values({
      challenge_hash: hashOf(challenge),
      ...('session' in asker ? { session_id: asker.session } : { browser_hash: hashOf(asker.browser) }),
      expires_at: clock() + passkeyMinutes * 60_000,
    })
    .execute();
  return challenge;
}

/** Uses a challenge up. False for one that is unknown, used, expired, or was made for somebody else. */
export async function takeChallenge(
  { db, clock }: Deps,
  challenge: string,
  asker: ChallengeFor,
): Promise<boolean> {
  const row = await db
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', hashOf(challenge))
    .returningAll()
    .executeTakeFirst();
  if (!row || row.expires_at <= clock()) return false;
  if ('session' in asker) return row.session_id === asker.session;
  return row.browser_hash?.equals(hashOf(asker.browser)) ?? false;
}

/** SHA-256 is enough for 256 random bits. */
const hashOf = (word: string): Buffer => hash('sha256', word, 'buffer');
