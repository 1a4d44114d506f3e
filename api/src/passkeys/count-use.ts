import type { assertionSchema } from '@homeport/contract/passkeys/schema';
import type { Database } from '@homeport/store';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { type ChallengeFor, takeChallenge } from './challenges.ts';
import { type RelyingParty, readUse } from './verify.ts';

type Deps = { db: Kysely<Database>; clock: () => number; party: RelyingParty };

/**
 * The person whose passkey signed the challenge of this asker. Counts the use. Null for a passkey that is unknown, a signature that does
 * not fit, or a challenge of somebody else.
 */
export async function countUse(
  { db, clock, party }: Deps,
  used: z.output<typeof assertionSchema>,
  asker: ChallengeFor,
): Promise<string | null> {
  const passkey = await db
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', used.id)
    .executeTakeFirst();
  if (!passkey) return null;
  const takes = (challenge: string) => takeChallenge({ db, clock }, challenge, asker);
  const counter = await readUse(used, passkey, takes, party);
  if (counter === null) return null;
  // Two uses at once of a copied passkey: only one of them finds the count that it was checked against.
  const counted = await db
    .updateTable('passkeys')
    .set({ counter, last_used_at: clock() })
    .where('id', '=', passkey.id)
    .where('counter', '=', passkey.counter)
    .returning('id')
    .executeTakeFirst();
  return counted ? passkey.owner_id : null;
}
