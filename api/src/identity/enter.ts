import type { BetterAuthPlugin, GenericEndpointContext } from 'better-auth';
import { createAuthEndpoint } from 'better-auth/api';
import { deleteSessionCookie, setSessionCookie } from 'better-auth/cookies';
import { generateRandomString } from 'better-auth/crypto';
import { z } from 'zod';
import { hasSecondStep } from './second-step/require-second-step.ts';

/**
 * Lets a person in whom another service has identified. The library makes the session and its cookie, so that every rule of sessions
 * holds for this way in too. A person with a second step gets the library's challenge in place of a session, as after a password.
 * Only code in this process can call the endpoint: it has no address.
 */
export const entry = (store: Parameters<typeof hasSecondStep>[0]) =>
  ({
    id: 'homeport-entry',
    endpoints: {
      enter: createAuthEndpoint(
        '/homeport/enter',
        { method: 'POST', body: z.object({ userId: z.uuid() }), metadata: { SERVER_ONLY: true } },
        async (ctx) => {
          const { internalAdapter } = ctx.context;
          const user = await internalAdapter.findUserById(ctx.body.userId);
          if (!user) throw new Error('The person who signs in has no account.');
          if (await hasSecondStep(store, user.id)) {
            await challenge(ctx, user.id);
            return ctx.json({ twoFactorRedirect: true as const });
          }
          const session = await internalAdapter.createSession(user.id);
          await setSessionCookie(ctx, { session, user });
          const { id, name, email, emailVerified } = user;
          return ctx.json({ user: { id, name, email, emailVerified } });
        },
      ),
    },
  }) satisfies BetterAuthPlugin;

const challengeSeconds = 600;

/**
 * The challenge that the library makes after a password, with its names: its own endpoints check the code, count the wrong ones and
 * make the session (better-auth, `plugins/two-factor`). A session that the browser had would turn the code into one of that account.
 */
async function challenge(ctx: GenericEndpointContext, userId: string): Promise<void> {
  const { internalAdapter, createAuthCookie, secret } = ctx.context;
  deleteSessionCookie(ctx, true);
  const identifier = `2fa-${generateRandomString(20)}`;
  const expiresAt = new Date(Date.now() + challengeSeconds * 1_000);
  await internalAdapter.createVerificationValue({ value: userId, identifier, expiresAt });
  const attempts = { value: '0', identifier: `2fa-attempts-${identifier}`, expiresAt };
  await internalAdapter.createVerificationValue(attempts);
  const cookie = createAuthCookie('two_factor', { maxAge: challengeSeconds });
  await ctx.setSignedCookie(cookie.name, identifier, secret, cookie.attributes);
}
