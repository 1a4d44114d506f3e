import { createHmac, randomBytes } from 'node:crypto';
import { passkeyMinutes } from '@homeport/contract/passkeys/facts';
import type { assertionSchema, requestOptionsSchema } from '@homeport/contract/passkeys/schema';
import type { Store } from '@homeport/store';
import type { z } from 'zod';
import { ProblemError } from '../http/problem.ts';
import { tooManyTries } from '../http/too-many-tries.ts';
import { makeChallenge } from '../passkeys/challenges.ts';
import { countUse } from '../passkeys/count-use.ts';
import { type RelyingParty, relyingPartyOf } from '../passkeys/verify.ts';
import { type AttemptRule, takeAttempt } from './waiting/attempts.ts';

export type PasskeySignIn = { store: Store; publicUrl: string; secret: string; clock: () => number };

/** The caller's address, and the Cookie header of its request. */
type Visitor = { address: string; cookies: string | undefined };

/** Tries of one address: each keeps a row for some minutes. */
const visitRule: AttemptRule = { free: 30, withinMs: 60_000 };

/** What a device signs, and the cookie that names this browser until then. The device knows by itself whose passkey it has. */
export async function beginWithPasskey(
  deps: PasskeySignIn,
  { address }: Visitor,
): Promise<{ answer: z.output<typeof requestOptionsSchema>; cookie: string }> {
  await refuseFlood(deps, address);
  const browser = randomBytes(32).toString('base64url');
  const challenge = await makeChallenge({ db: deps.store.db, clock: deps.clock }, { browser });
  const party = relyingPartyOf(deps.publicUrl);
  return {
    answer: { challenge, rpId: party.id, timeoutMs: passkeyMinutes * 60_000 },
    cookie: cookieLine(party, browser, passkeyMinutes * 60),
  };
}

/** The person whose passkey signed the challenge. */
export async function finishWithPasskey(
  deps: PasskeySignIn,
  { address, cookies }: Visitor,
  used: z.output<typeof assertionSchema>,
): Promise<{ userId: string; cookie: string }> {
  await refuseFlood(deps, address);
  const { store, clock } = deps;
  const party = relyingPartyOf(deps.publicUrl);
  const browser = browserIn(party, cookies);
  const userId = await countUse({ db: store.db, clock, party }, used, { browser });
  if (userId === null) throw refused();
  return { userId, cookie: cookieLine(party, '', 0) };
}

const refused = () =>
  new ProblemError('not_signed_in', 'This passkey signs nobody in here.', {
    recovery: 'Try again, or sign in with your password. A passkey that was removed stays on the device.',
  });

async function refuseFlood({ store, secret, clock }: PasskeySignIn, address: string): Promise<void> {
  const key = createHmac('sha256', secret).update(`homeport passkey visits\0${address}`).digest();
  const seconds = await takeAttempt(store, key, visitRule, clock());
  if (seconds > 0) throw tooManyTries(seconds);
}

const isSecure = ({ origin }: RelyingParty) => origin.startsWith('https:');
/** Behind `__Host-`, browsers keep only what this very host has set (RFC 6265bis, 4.1.3). */
const cookieName = (party: RelyingParty) => `${isSecure(party) ? '__Host-' : ''}homeport.passkey_visit`;

function cookieLine(party: RelyingParty, value: string, seconds: number): string {
  const end = isSecure(party) ? '; Secure' : '';
  return `${cookieName(party)}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Strict${end}`;
}

function browserIn(party: RelyingParty, cookies = ''): string {
  const begin = `${cookieName(party)}=`;
  const found = cookies
    .split(';')
    .map((cookie) => cookie.trim())
    .find((cookie) => cookie.startsWith(begin));
  return found?.slice(begin.length) ?? '';
}
