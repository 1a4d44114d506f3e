import type { SessionIdentity } from '@homeport/contract/services';
import { ProblemError } from '../http/problem.ts';
import type { LiveLimits } from './live-limits.ts';
import type { UnreadBytes } from './live-sender.ts';

/**
 * Counts what is open, so that one person's pages do not take what others need. Each admission returns the
 * function that releases it.
 */
export type LiveCeilings = {
  /** @throws ProblemError `too_many` */
  admitSocket(session: SessionIdentity): () => void;
  /** @throws ProblemError `too_many` */
  admitSubscription(session: SessionIdentity, ofSocket: number): () => void;
  unread(session: SessionIdentity): UnreadBytes;
};

export function createLiveCeilings(limits: LiveLimits): LiveCeilings {
  const sockets = createCount();
  const subscriptions = createCount();
  const unread = createCount();
  return {
    admitSocket({ sessionId, userId }) {
      const [ofSession, ofPerson] = [`session ${sessionId}`, `person ${userId}`];
      if (sockets.of(ofSession) >= limits.socketsPerSession)
        throw tooManyPages(`This sign-in has ${limits.socketsPerSession} pages of the console open.`);
      if (sockets.of(ofPerson) >= limits.socketsPerPerson)
        throw tooManyPages(`You have ${limits.socketsPerPerson} pages of the console open.`);
      const [releaseSession, releasePerson] = [sockets.add(ofSession), sockets.add(ofPerson)];
      return once(() => {
        releaseSession();
        releasePerson();
      });
    },
    admitSubscription({ userId }, ofSocket) {
      if (ofSocket >= limits.subscriptionsPerSocket)
        throw new ProblemError(
          'too_many',
          `A page follows at most ${limits.subscriptionsPerSocket} streams.`,
        );
      if (subscriptions.of(userId) >= limits.subscriptionsPerPerson)
        throw tooManyPages(`Your pages follow ${limits.subscriptionsPerPerson} streams.`);
      return once(subscriptions.add(userId));
    },
    unread: ({ userId }) => ({
      take(bytes) {
        if (unread.of(userId) + bytes > limits.unreadBytesPerPerson) return false;
        unread.add(userId, bytes);
        return true;
      },
      give: (bytes) => unread.remove(userId, bytes),
    }),
  };
}

const tooManyPages = (what: string) =>
  new ProblemError(
    'too_many',
    `${what} Close some of them. Until then, this page asks for changes once a minute.`,
  );

function createCount() {
  const counts = new Map<string, number>();
  const remove = (key: string, amount: number) => {
    const left = (counts.get(key) ?? 0) - amount;
    if (left > 0) counts.set(key, left);
    else counts.delete(key);
  };
  return {
    of: (key: string) => counts.get(key) ?? 0,
    /** Returns the function that takes the amount off again. */
    add(key: string, amount = 1): () => void {
      counts.set(key, (counts.get(key) ?? 0) + amount);
      return () => remove(key, amount);
    },
    remove,
  };
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}
