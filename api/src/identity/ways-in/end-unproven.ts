import { ownerFromSession, type Store } from '@homeport/store';
import { type EventOrigin, noteSecurityEvent } from '../../security-events/note-event.ts';
import { type DisconnectGithub, endEmailChange, endSecondStep, endWaysIn, inWords } from './end-ways-in.ts';

/**
 * After the first proof of an address from a browser where nobody of the account is signed in: whoever reads the mailbox need not be who
 * made the account. What that one made beside the password ends. The password stays, and with it the sign-ins: whoever reads the mailbox
 * can set another one.
 */
export async function endUnproven(
  {
    store,
    disconnectGithub,
    clock,
  }: { store: Store; disconnectGithub: DisconnectGithub; clock: () => number },
  userId: string,
  from: EventOrigin,
): Promise<void> {
  await store.transact(ownerFromSession(userId), async (scope) => {
    const ended = await endWaysIn(scope, disconnectGithub);
    const secondStep = await endSecondStep(scope);
    await endEmailChange(scope);
    const subject = inWords([ended, secondStep ? 'the second step' : null]);
    if (subject === null) return;
    const { db, owner } = scope;
    await noteSecurityEvent(db, { owner, kind: 'ways_ended', subject, from, at: clock() });
  });
}
