import { createHmac } from 'node:crypto';
import type { Store } from '@homeport/store';
import { createDeviceCookie, hashOfAccount } from './device-cookie.ts';
import { attemptRules, forgetAttempts, takeAttempt } from './waiting/attempts.ts';

export type AttemptKind = keyof typeof attemptRules;

/** An e-mail address as it was typed, and the Cookie header of the same request. */
export type Caller = { email: string; cookies: string | undefined };

/**
 * How often an account may be tried, from all addresses together. A browser that signed in to the account
 * before has a count of its own, so a stranger who uses up the other count does not lock the owner out.
 */
export type AccountLimits = {
  /**
   * Counts an attempt and returns 0, or returns the seconds to wait. Accounts that do not exist are counted
   * like others.
   */
  take(kind: AttemptKind, caller: Caller): Promise<number>;
  /** Whether this browser has signed in to the account before, within the life of the cookie. */
  knows(caller: Caller): boolean;
  /**
   * Resets this browser's count of sign-ins. Returns the Set-Cookie line that makes the browser known to the
   * account.
   */
  signedIn(caller: Caller): Promise<string>;
  /**
   * Does the same for a person who set a new password by a mailed link, which proves that the person owns the
   * mailbox. Resets the counts of unknown browsers as well: the owner may use another browser next.
   */
  passwordSet(caller: Caller): Promise<string>;
};

type Options = { store: Store; secret: string; publicUrl: string; clock: () => number };

export function createAccountLimits({ store, secret, publicUrl, clock }: Options): AccountLimits {
  const cookie = createDeviceCookie({ secret, secure: publicUrl.startsWith('https:'), clock });
  const keyOf = (kind: AttemptKind, email: string, device: string | null) =>
    createHmac('sha256', secret)
      .update(`homeport attempts\0${kind}\0${device ?? ''}\0`)
      .update(hashOfAccount(secret, email))
      .digest();
  const kinds = Object.keys(attemptRules) as AttemptKind[];

  return {
    take(kind, { email, cookies }) {
      const key = keyOf(kind, email, cookie.read(cookies, email));
      return takeAttempt(store, key, attemptRules[kind], clock());
    },
    knows: ({ email, cookies }) => cookie.read(cookies, email) !== null,
    async signedIn({ email, cookies }) {
      await forgetAttempts(store, [keyOf('sign-in', email, cookie.read(cookies, email))]);
      return cookie.issue(cookies, email);
    },
    async passwordSet({ email, cookies }) {
      const device = cookie.read(cookies, email);
      const devices = device === null ? [null] : [null, device];
      await forgetAttempts(
        store,
        devices.flatMap((each) => kinds.map((kind) => keyOf(kind, email, each))),
      );
      return cookie.issue(cookies, email);
    },
  };
}
