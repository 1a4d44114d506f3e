import { createHmac } from 'node:crypto';
import type { Store } from '@homeport/store';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { GithubDeps } from '../github/account.ts';
import { ProblemError } from '../http/problem.ts';
import { bearerOf } from '../http/token-access.ts';
import type { Mailer } from '../mail/mailer.ts';
import { findTokenHolder } from '../tokens/bearer-token.ts';
import { type AccountLimits, createAccountLimits } from './account-limits.ts';
import { type Auth, addressHeader, createAuth } from './auth.ts';
import { type Callers, createCallers } from './callers.ts';
import { keepDroppingStale } from './drop-stale.ts';
import { watchSessionEnds } from './end-sessions.ts';
import { mountAuth } from './mount-auth.ts';
import { createPasswords } from './passwords.ts';
import { type FoundSession, readSession } from './session.ts';
import { createSignUpPolicy, findOwnerId, type SignUpPolicy, type SignUps } from './sign-up-policy.ts';
import { endUnproven } from './ways-in/end-unproven.ts';
import type { DisconnectGithub } from './ways-in/end-ways-in.ts';
import { readWeakPasswords } from './weak-passwords/weak-passwords.ts';

export type Identity = {
  signUps: SignUpPolicy;
  readSession(request: FastifyRequest): Promise<FoundSession | null>;
  callerOf: Callers['of'];
  isOwner(userId: string): Promise<boolean>;
  passwords: ReturnType<typeof createPasswords>;
  disconnectGithub: DisconnectGithub;
  limits: Pick<AccountLimits, 'take'>;
  mount(scope: FastifyInstance, guard: onRequestAsyncHookHandler[]): void;
  /** Waits for messages that are being sent. */
  close(): Promise<void>;
};

type Options = {
  store: Store;
  publicUrl: string;
  secret: string;
  github: GithubDeps;
  /** What the account has at GitHub, and how it goes. */
  disconnectGithub: DisconnectGithub;
  loopback: boolean;
  signUps: SignUps;
  mailer: Mailer;
  log: FastifyBaseLogger;
  /** Epoch milliseconds. */
  clock: () => number;
  /** Sign-ins of one person at once. */
  sessionsPerPerson: number;
  /** Called in every replica, once for each session that has ended. */
  onSessionEnded: (sessionId: string) => void;
  /** The sessions for which this replica holds something open. */
  heldSessions: () => string[];
};

const tokenAndCookie = () =>
  new ProblemError('invalid_input', 'This request carries an API token and a session’s cookie.', {
    recovery: 'Send one of the two.',
  });

export async function createIdentity(options: Options): Promise<Identity> {
  const { store, log } = options;
  const report = (error: unknown) => log.error({ err: error }, 'background work of identity failed');
  const working = new Set<Promise<void>>();
  const inBackground = (work: Promise<unknown>) => {
    const settled = work.then(() => {}, report).finally(() => working.delete(settled));
    working.add(settled);
  };
  const limits = createAccountLimits(options);
  const disconnectGithub: DisconnectGithub = async (scope) => {
    const leave = await options.disconnectGithub(scope);
    return async () => inBackground(leave());
  };
  const onFirstProof = async (userId: string, headers: Headers) => {
    const cookie = headers.get('cookie') ?? undefined;
    const found = await readSession(auth, store, { headers: { cookie } });
    if (found?.session.userId === userId) return;
    const from = { address: headers.get(addressHeader), userAgent: headers.get('user-agent') };
    await endUnproven({ store, disconnectGithub, clock: options.clock }, userId, from);
  };
  const auth: Auth = createAuth({ ...options, limits, inBackground, onFirstProof });
  const context = await auth.$context;
  const callers = createCallers(context);
  const readToken = async (
    token: string,
    { headers, ip: address }: FastifyRequest,
  ): Promise<FoundSession | null> => {
    if (headers.cookie?.includes(context.authCookies.sessionToken.name)) throw tokenAndCookie();
    const session = await findTokenHolder(store, token, { now: options.clock(), address });
    return session && { session, cookies: [] };
  };
  const passwords = createPasswords({ auth, store, limits, weak: readWeakPasswords() });
  const signUps = createSignUpPolicy(store, options.loopback, options.signUps, options.clock);
  const stopDropping = keepDroppingStale(store, options.clock, report);
  const stopWatching = await watchSessionEnds(store, options.onSessionEnded, report, options.heldSessions);
  return {
    signUps,
    async readSession(request) {
      const token = bearerOf(request);
      const found =
        token === null ? await readSession(auth, store, request) : await readToken(token, request);
      if (found) callers.note(request, found.session.userId);
      return found;
    },
    callerOf: callers.of,
    passwords,
    disconnectGithub,
    limits,
    isOwner: async (userId) => (await findOwnerId(store)) === userId,
    mount: (scope, guard) =>
      mountAuth(scope, guard, {
        auth,
        store,
        limits,
        origin: new URL(options.publicUrl).origin,
        github: options.github,
        passkeys: options,
        emailChanges: { ...options, limits },
        signUps,
        inBackground,
        disconnectGithub,
        keyOf: (counted) =>
          createHmac('sha256', options.secret).update(`homeport tries\0${counted}`).digest(),
        passwords,
        clock: options.clock,
      }),
    async close() {
      stopWatching();
      stopDropping();
      await Promise.all(working);
    },
  };
}
