import { fastifyHelmet } from '@fastify/helmet';
import { fastifyRateLimit } from '@fastify/rate-limit';
import type { FastifyError, FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { type Admission, createAdmission } from './admission.ts';
import { answerError } from './error-answer.ts';
import { refuseOtherOrigins } from './origin.ts';
import { ProblemError } from './problem.ts';

export type GuardOptions = {
  publicUrl: string;
  /** Names the caller that a request counts for. Default: the request's address. */
  callerOf?: (request: FastifyRequest) => string;
  admission?: Admission;
  requestsPerMinute?: number;
};

/**
 * Gives a scope what every answer of the api has: headers, failures in the contract's one shape, and JSON alone as input. Resolves with
 * the checks that each route of the scope begins with: the pace and the origin.
 */
export async function guardScope(
  scope: FastifyInstance,
  { publicUrl, callerOf = addressOf, admission = createAdmission(), requestsPerMinute }: GuardOptions,
  inWords: (error: FastifyError, request: FastifyRequest) => Error = (error) => error,
): Promise<onRequestAsyncHookHandler[]> {
  await scope.register(fastifyHelmet, armour);
  await scope.register(fastifyRateLimit, { global: false });
  scope.setErrorHandler((error: FastifyError, request, reply) =>
    answerError(inWords(error, request), request, reply),
  );
  scope.removeContentTypeParser('text/plain');
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store').header('x-request-id', request.id);
  });
  const limit = scope.rateLimit({
    max: requestsPerMinute ?? 1_200,
    timeWindow: 60_000,
    errorResponseBuilder: (_request, { ttl }) =>
      new ProblemError(
        'too_many',
        'Too many requests arrived at once. This request was refused, and nothing was changed.',
        { retryAfterSeconds: Math.ceil(ttl / 1000) },
      ),
  }) as onRequestAsyncHookHandler;
  const waitForTurn = (request: FastifyRequest) => admission.admit(callerOf(request));
  return [limit, waitForTurn, refuseOtherOrigins(new URL(publicUrl).origin)];
}

const addressOf = (request: FastifyRequest) => request.ip;

/** Answers of the api are data: no browser may show, frame or run them as a page. */
const armour = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  crossOriginResourcePolicy: { policy: 'same-origin' },
  referrerPolicy: { policy: 'no-referrer' },
  xFrameOptions: { action: 'deny' },
} as const;
