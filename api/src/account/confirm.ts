import { canHavePasskeys, passkeyMinutes } from '@homeport/contract/passkeys/facts';
import type { RouteOutput, RouteParsed } from '@homeport/contract/routes';
import type { SessionIdentity } from '@homeport/contract/services';
import type { Store } from '@homeport/store';
import { keepConfirmation } from '../confirmation/confirmed.ts';
import { wrongField } from '../http/problem.ts';
import { makeChallenge } from '../passkeys/challenges.ts';
import { countUse } from '../passkeys/count-use.ts';
import { relyingPartyOf } from '../passkeys/verify.ts';
import type { Passwords } from './change-password.ts';

type Deps = {
  store: Store;
  passwords: Passwords;
  publicUrl: string;
  clock: () => number;
};

/** What the person can confirm with: the password, a passkey, or a new sign-in with GitHub. */
export async function beginConfirmation(
  { store, passwords, publicUrl, clock }: Deps,
  session: SessionIdentity,
): Promise<RouteOutput<'POST /api/session/confirm/begin'>> {
  const { db } = store;
  const owned = (table: 'passkeys' | 'linked_accounts') =>
    db.selectFrom(table).select('id').where('owner_id', '=', session.userId);
  const party = relyingPartyOf(publicUrl);
  const hasPasskey = canHavePasskeys(party.id) && (await owned('passkeys').executeTakeFirst()) !== undefined;
  const github = await owned('linked_accounts').where('service', '=', 'github').executeTakeFirst();
  return {
    password: await passwords.has(session),
    passkey: hasPasskey
      ? {
          challenge: await makeChallenge({ db, clock }, { session: session.sessionId }),
          rpId: party.id,
          timeoutMs: passkeyMinutes * 60_000,
        }
      : null,
    github: github !== undefined,
  };
}

/** @throws ProblemError beside the field for a wrong password or a wrong passkey, `too_many` after many passwords. */
export async function confirm(
  { store, passwords, publicUrl, clock }: Deps,
  session: SessionIdentity,
  given: RouteParsed<'POST /api/session/confirm'>['body'],
): Promise<{ until: number }> {
  if (given.by === 'password') await passwords.prove(session, given.password, 'password');
  else {
    const deps = { db: store.db, clock, party: relyingPartyOf(publicUrl) };
    const person = await countUse(deps, given.used, { session: session.sessionId });
    if (person !== session.userId) throw wrongField('used', 'This is no passkey of your account.');
  }
  return { until: await keepConfirmation(store.db, session.sessionId, clock()) };
}
