import { ceilings } from '@homeport/contract/limits';
import type { SessionIdentity } from '@homeport/contract/services';
import { grants } from '@homeport/contract/tokens/facts';
import { statsScope } from '@homeport/contract/tokens/route-scope';
import type { Store } from '@homeport/store';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { bearerOf } from '../http/token-access.ts';
import { createMailer } from '../mail/mailer.ts';
import { findTokenHolder } from '../tokens/bearer-token.ts';
import { createAccountLimits } from './account-limits.ts';
import { createAuth } from './auth.ts';
import { readSession } from './session.ts';

export type Identifier = {
  /** Who is signed in on a request; null for nobody. */
  identify(request: FastifyRequest): Promise<SessionIdentity | null>;
};

type Options = {
  store: Store;
  publicUrl: string;
  /** The secret that the api signs sessions with. */
  secret: string;
  log: FastifyBaseLogger;
};

/** Reads the api's sessions for a service that runs without the api: no route, no operation, no message. */
export function createIdentifier({ store, publicUrl, secret, log }: Options): Identifier {
  const auth = createAuth({
    store,
    publicUrl,
    secret,
    log,
    mailer: createMailer({ store, smtp: null, announce: () => {}, clock: Date.now }),
    sessionsPerPerson: ceilings.sessions,
    limits: createAccountLimits({ store, secret, publicUrl, clock: Date.now }),
    onFirstProof: async () => {},
    inBackground: (work) => {
      work.catch((error: unknown) => log.error({ err: error }, 'background work on a session failed'));
    },
  });
  return {
    async identify(request) {
      const token = bearerOf(request);
      if (token === null) return (await readSession(auth, store, request))?.session ?? null;
      return holderForStats(await findTokenHolder(store, token, { now: Date.now(), address: request.ip }));
    },
  };
}

/** A program may see stats only if its token says so. */
export function holderForStats(session: SessionIdentity | null): SessionIdentity | null {
  return session?.scopes === undefined || grants(session.scopes, statsScope) ? session : null;
}
