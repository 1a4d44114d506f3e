import { randomBytes } from 'node:crypto';
import { canHavePasskeys, passkeyMinutes } from '@homeport/contract/passkeys/facts';
import type { CreationOptions, Passkey } from '@homeport/contract/passkeys/schema';
import type { RouteParsed } from '@homeport/contract/routes';
import type { SessionIdentity } from '@homeport/contract/services';
import { isUniqueViolation, ownerFromSession, type Store } from '@homeport/store';
import { holdSession } from '../confirmation/confirmed.ts';
import { refuseAbove } from '../http/ceiling.ts';
import { ProblemError } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { noteSecurityEvent } from '../security-events/note-event.ts';
import { makeChallenge, takeChallenge } from './challenges.ts';
import { toPasskey } from './passkey-record.ts';
import { passkeyAlgorithms, type RelyingParty, readMade } from './verify.ts';

export type PasskeyDeps = {
  store: Store;
  party: RelyingParty;
  clock: () => number;
  /** Passkeys of one person. */
  most: number;
};

/** What a device needs for making a passkey. */
export async function beginPasskey(
  { store, party, clock }: PasskeyDeps,
  session: SessionIdentity,
): Promise<CreationOptions> {
  if (!canHavePasskeys(party.id))
    throw new ProblemError(
      'conflict',
      'This console has an IP address for a name, and browsers make no passkeys for one.',
      {
        recovery: 'Set HOMEPORT_PUBLIC_URL to an address with a name, and open the console there.',
      },
    );
  const { userId, sessionId, email, name } = session;
  const present = await store.db
    .selectFrom('passkeys')
    .select('credential_id')
    .where('owner_id', '=', userId)
    .execute();
  return {
    challenge: await makeChallenge({ db: store.db, clock }, { session: sessionId }),
    rpId: party.id,
    timeoutMs: passkeyMinutes * 60_000,
    // Random, so that a device that shows it tells nothing of the account.
    user: { id: randomBytes(32).toString('base64url'), name: email, displayName: name },
    algorithms: passkeyAlgorithms,
    present: present.map(({ credential_id }) => credential_id),
  };
}

/** Adds the passkey that a device made for the session's challenge. */
export async function addPasskey(
  { store, party, clock, most }: PasskeyDeps,
  { userId, sessionId }: SessionIdentity,
  { name, made }: RouteParsed<'POST /api/passkeys'>['body'],
): Promise<Passkey> {
  const takes = (challenge: string) =>
    takeChallenge({ db: store.db, clock }, challenge, { session: sessionId });
  const passkey = await readMade(made, takes, party);
  if (!passkey)
    throw new ProblemError('invalid_input', 'The console could not check this passkey. Nothing was added.', {
      fields: { made: 'The console could not check the answer of the device.' },
      recovery:
        'Begin again, at the console’s own address, and confirm with the PIN, finger or face that the device asks for.',
    });
  const at = clock();
  try {
    return await store.transact(ownerFromSession(userId), async (scope) => {
      const { owner, db } = scope;
      await holdSession(scope, sessionId);
      await refuseAbove(scope, 'passkeys', most);
      const row = await db
        .insertInto('passkeys')
        .values({
          owner_id: owner,
          name,
          credential_id: passkey.credentialId,
          public_key: passkey.publicKey,
          counter: passkey.counter,
          backed_up: passkey.isBackedUp,
          created_at: at,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await noteSecurityEvent(db, { owner, kind: 'passkey_added', subject: name, from: { sessionId }, at });
      await notifyChange(db, owner, 'passkeys', row.id);
      return toPasskey(row);
    });
  } catch (error) {
    if (isUniqueViolation(error))
      throw new ProblemError('conflict', 'This passkey was added already. Nothing was changed.');
    throw error;
  }
}
