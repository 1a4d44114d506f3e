import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { z } from 'zod';

/**
 * Begins a session for a person whom another service has identified. The library makes the session and its cookie, so that every
 * rule of sessions holds for this way in too. Only code in this process can call the endpoint: it has no address.
 */
export const entry = () =>
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
          const session = await internalAdapter.createSession(user.id);
          await setSessionCookie(ctx, { session, user });
          const { id, name, email, emailVerified } = user;
          return ctx.json({ user: { id, name, email, emailVerified } });
        },
      ),
    },
  }) satisfies BetterAuthPlugin;
