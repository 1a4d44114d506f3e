import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { consentMinutes } from '@homeport/contract/github/facts';
import type { Database } from '@homeport/store';
import type { Kysely } from 'kysely';
import { ProblemError } from '../http/problem.ts';

/** Who began a visit: a browser that is not signed in, by the random word in its cookie, or a session. */
export type Visitor =
  | { purpose: 'sign-in'; browser: string }
  | { purpose: 'link'; ownerId: string; sessionId: string };

type Deps = { db: Kysely<Database>; clock: () => number };

const lifeMs = consentMinutes * 60_000;

/** Begins a visit and returns its state. A session has one visit at a time. */
export async function beginVisit({ db, clock }: Deps, visitor: Visitor): Promise<string> {
  const state = `${visitor.purpose}.${randomBytes(32).toString('base64url')}`;
  const expires_at = clock() + lifeMs;
  if (visitor.purpose === 'link') {
    const { ownerId, sessionId } = visitor;
    await db
      .deleteFrom('github_visits')
      .where('owner_id', '=', ownerId)
      .where('session_id', '=', sessionId)
      .execute();
    await db
      .insertInto('github_visits')
      .values({
        state_hash: hashOf(state),
        purpose: 'link',
        owner_id: ownerId,
        session_id: sessionId,
        expires_at,
      })
      .execute();
    return state;
  }
  await db
    .insertInto('github_visits')
    .values({
      state_hash: hashOf(state),
      purpose: 'sign-in',
      browser_hash: hashOf(visitor.browser),
      expires_at,
    })
    .execute();
  return state;
}

/** Uses a visit up. Throws for one that expired, was used, has another purpose or was begun by somebody else. */
export async function endVisit({ db, clock }: Deps, state: string, visitor: Visitor): Promise<void> {
  const row = await db
    .deleteFrom('github_visits')
    .where('state_hash', '=', hashOf(state))
    .returningAll()
    .executeTakeFirst();
  if (row && row.expires_at > clock() && isOf(row, visitor)) return;
  throw new ProblemError(
    'invalid_input',
    'This visit to GitHub was begun elsewhere, has expired or was used already.',
    {
      recovery: 'Begin again in this browser.',
    },
  );
}

function isOf(
  row: { purpose: string; browser_hash: Buffer | null; owner_id: string | null; session_id: string | null },
  visitor: Visitor,
): boolean {
  if (row.purpose !== visitor.purpose) return false;
  if (visitor.purpose === 'link')
    return row.owner_id === visitor.ownerId && row.session_id === visitor.sessionId;
  return row.browser_hash !== null && timingSafeEqual(row.browser_hash, hashOf(visitor.browser));
}

/** SHA-256 is enough for 256 random bits. */
const hashOf = (word: string): Buffer => hash('sha256', word, 'buffer');
