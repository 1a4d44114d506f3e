import { userAgentCharacters } from '@homeport/contract/account/facts';
import { nameSchema } from '@homeport/contract/fields/schema';
import { passwordCharacters } from '@homeport/contract/identity/facts';
import { passwordsWaiting } from '@homeport/contract/limits';
import type { Store } from '@homeport/store';
import { hash, verify } from '@node-rs/argon2';
import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { APIError, createAuthMiddleware } from 'better-auth/api';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import { notifyChange } from '../live/notify-change.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Message } from '../mail/message.ts';
import type { AccountLimits, AttemptKind } from './account-limits.ts';
import { endOldestSessions } from './end-sessions.ts';
import { entry } from './enter.ts';
import { passwordResetMessage, verificationMessage } from './messages.ts';
import { refuseUsedCode } from './second-step/refuse-used-code.ts';
import { refuseWithoutSecondStep } from './second-step/require-second-step.ts';
import { createQueue, QueueFull } from './waiting/queue.ts';
import { linkSeconds, pageLink } from './ways-in/page-link.ts';

export type AuthOptions = {
  store: Store;
  publicUrl: string;
  /** At least 32 random characters; signs cookies and verification links. */
  secret: string;
  mailer: Mailer;
  log: FastifyBaseLogger;
  sessionsPerPerson: number;
  limits: Pick<AccountLimits, 'take'>;
  /** Takes work that the answer does not wait for. */
  inBackground: (work: Promise<unknown>) => void;
  /** Called when a mailed link proved an address for the first time, with the headers of the request that brought the link. */
  onFirstProof: (userId: string, headers: Headers) => Promise<void>;
};

/** The header that carries the caller's address inside the process; it never comes from the caller. */
export const addressHeader = 'x-homeport-caller-address';
/**
 * Tells the library inside the process that the link of an invitation proves the new account's address; never
 * from the caller.
 */
export const provenAddressHeader = 'x-homeport-proven-address';

/**
 * Argon2 occupies a core for tens of milliseconds. Two runs at once would take both cores of a small machine
 * from everybody else.
 */
const inTurn = createQueue(passwordsWaiting);

/** The sign-in whose turn does not come is refused at once, because nobody waits longer than some seconds. */
async function inTurnOrBusy<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await inTurn(work);
  } catch (error) {
    if (!(error instanceof QueueFull)) throw error;
    throw new APIError('SERVICE_UNAVAILABLE', {
      message: 'Too many people sign in at this moment. Nothing was changed. Try again in a minute.',
    });
  }
}

export type Auth = ReturnType<typeof createAuth>;

/** Call this after the migrations: the library looks at its tables once. */
export function createAuth(options: AuthOptions) {
  return betterAuth(authOptions(options));
}

/** Bounds of one address, in seconds and requests. */
const rateLimit = {
  enabled: true,
  storage: 'database' as const,
  window: 60,
  max: 120,
  customRules: {
    '/sign-in/email': { window: 60, max: 12 },
    '/sign-up/email': { window: 60, max: 20 },
    '/request-password-reset': { window: 60, max: 5 },
    '/send-verification-email': { window: 60, max: 5 },
    '/verify-email': { window: 60, max: 20 },
    '/two-factor/*': { window: 60, max: 12 },
  },
};

export function authOptions(options: AuthOptions) {
  const { store, publicUrl, secret, mailer, log, sessionsPerPerson, limits, inBackground, onFirstProof } =
    options;
  const origin = new URL(publicUrl).origin;
  return {
    appName: 'Homeport',
    baseURL: origin,
    basePath: '/api/auth',
    secret,
    trustedOrigins: [origin],
    telemetry: { enabled: false },
    database: { db: store.db, type: 'postgres', schemaName: 'auth', transaction: true },
    advanced: {
      cookiePrefix: 'homeport',
      useSecureCookies: origin.startsWith('https:'),
      database: { generateId: 'uuid' },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      backgroundTasks: { handler: inBackground },
    },
    logger: {
      level: 'error',
      // Log the message alone: its arguments may hold addresses or tokens.
      log: (_level, message) => log.error({ from: 'better-auth' }, message),
    },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: passwordCharacters.least,
      maxPasswordLength: passwordCharacters.most,
      password: {
        hash: (password) => inTurnOrBusy(() => hash(password)),
        verify: ({ hash: stored, password }) => inTurnOrBusy(() => verify(stored, password)),
      },
      resetPasswordTokenExpiresIn: linkSeconds,
      sendResetPassword: ({ user, token }) =>
        deliver(mailer, log, passwordResetMessage(user, pageLink(origin, '/reset-password', token))),
    },
    emailVerification: {
      sendOnSignUp: true,
      autoSignInAfterVerification: false,
      expiresIn: linkSeconds,
      sendVerificationEmail: async ({ user, token }) => {
        if (user.emailVerified) return;
        await deliver(mailer, log, verificationMessage(user, pageLink(origin, '/verify-email', token)));
      },
      afterEmailVerification: async (user, request) => {
        await notifyChange(store.db, user.id, 'profile', null);
        await onFirstProof(user.id, request?.headers ?? new Headers());
      },
    },
    plugins: [twoFactor({ issuer: 'Homeport' }), entry(store)],
    account: { encryptOAuthTokens: true, accountLinking: { disableImplicitLinking: true } },
    rateLimit,
    hooks: { before: limitPerAccount(limits) },
    databaseHooks: {
      user: {
        create: {
          before: async (user, context) => ({
            data: {
              ...user,
              name: nameSchema.parse(user.name),
              image: null,
              emailVerified: context?.headers?.has(provenAddressHeader) ?? false,
            },
          }),
        },
      },
      session: {
        create: {
          before: async ({ userAgent, ...session }, context) => {
            await refuseWithoutSecondStep(store, session.userId, context?.path);
            if (context?.path === '/two-factor/verify-totp')
              await refuseUsedCode(store, session.userId, context);
            return { data: { ...session, userAgent: userAgent?.slice(0, userAgentCharacters) } };
          },
          after: async ({ userId }) => {
            await endOldestSessions(store, userId, sessionsPerPerson);
            await notifyChange(store.db, userId, 'sessions', null);
          },
        },
        delete: {
          after: async ({ id, userId }) => {
            await store.notify('session', { ended: id });
            await notifyChange(store.db, userId, 'sessions', null);
          },
        },
      },
    },
  } satisfies BetterAuthOptions;
}

const limitedKinds: Partial<Record<string, AttemptKind>> = {
  '/sign-in/email': 'sign-in',
  '/request-password-reset': 'password-reset',
  '/send-verification-email': 'verification',
};

/**
 * Runs after the limit per address and before the route. A try that the limit per address refuses is not
 * counted here. A try that is refused here costs no argon2 and no look at the account.
 */
function limitPerAccount(limits: Pick<AccountLimits, 'take'>) {
  return createAuthMiddleware(async ({ path, body, headers }) => {
    const kind = limitedKinds[path];
    if (kind === undefined) return;
    const { email } = z.object({ email: z.string() }).parse(body);
    const seconds = await limits.take(kind, { email, cookies: headers?.get('cookie') ?? undefined });
    if (seconds === 0) return;
    // Answers as the limit per address does. An error thrown from here would write a line to stderr for each
    // refused try.
    return new Response(null, { status: 429, headers: { 'x-retry-after': String(seconds) } });
  });
}

async function deliver(mailer: Mailer, log: FastifyBaseLogger, message: Message): Promise<void> {
  try {
    await mailer.send(message);
  } catch (error) {
    log.error({ err: error }, 'a message could not be sent');
    throw new APIError('SERVICE_UNAVAILABLE', { message: 'The mail server did not take the message.' });
  }
}
