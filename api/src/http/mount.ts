import { fastifyHelmet } from '@fastify/helmet';
import { fastifyRateLimit } from '@fastify/rate-limit';
import { fastifySSE } from '@fastify/sse';
import { fastifyWebsocket, type WebSocket } from '@fastify/websocket';
import { agentMessageBytes, agentSubprotocol } from '@homeport/contract/connections';
import type { RouteSchemas } from '@homeport/contract/route';
import { type RouteKey, routes } from '@homeport/contract/routes';
import type { SessionIdentity } from '@homeport/contract/services';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
  onRequestAsyncHookHandler,
} from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { answerError, answerNotFound } from './error-answer.ts';
import type { Handlers, StreamItem } from './handlers.ts';
import type { LiveRequests } from './live-requests.ts';
import { bodyLimitBytes } from './log.ts';
import { refuseOtherOrigins } from './origin.ts';
import { ProblemError } from './problem.ts';
import { sendStream } from './send-stream.ts';
import { validatorCompiler } from './validation.ts';

/** Checks a request's cookie; `cookies` are the Set-Cookie lines of a session that was prolonged. */
export type ReadSession = (
  request: FastifyRequest,
) => Promise<{ session: SessionIdentity; cookies: string[] } | null>;

export type MountOptions = {
  publicUrl: string;
  readSession: ReadSession;
  isOwner(userId: string): Promise<boolean>;
  liveRequests: LiveRequests;
  /** Further routes below /api that share its armour. */
  also?: (scope: FastifyInstance, guard: onRequestAsyncHookHandler[]) => void;
  requestsPerMinute?: number;
};

const heartbeatMs = 15_000;
const prefix = '/api';

/** Registers every route of the table that has a handler, behind its checks, below /api. */
export async function mount(
  fastify: FastifyInstance,
  handlers: Partial<Handlers>,
  options: MountOptions,
): Promise<void> {
  await fastify.register(
    async (scope) => {
      await scope.register(fastifyHelmet, armour);
      await scope.register(fastifyRateLimit, { global: false });
      await scope.register(fastifySSE, { heartbeatInterval: heartbeatMs });
      await scope.register(fastifyWebsocket, { options: { maxPayload: agentMessageBytes, handleProtocols } });
      scope.setValidatorCompiler(validatorCompiler);
      scope.setSerializerCompiler(serializerCompiler);
      scope.setErrorHandler(answerError);
      scope.setNotFoundHandler(answerNotFound);
      scope.removeContentTypeParser('text/plain');
      scope.addHook('onRequest', async (request, reply) => {
        reply.header('cache-control', 'no-store').header('x-request-id', request.id);
      });
      scope.addHook('preClose', async () => options.liveRequests.endAll());

      const limit = scope.rateLimit({
        max: options.requestsPerMinute ?? 1_200,
        timeWindow: 60_000,
        errorResponseBuilder: (_request, { ttl }) =>
          new ProblemError('too_many', 'That was a lot at once.', {
            retryAfterSeconds: Math.ceil(ttl / 1000),
          }),
      }) as onRequestAsyncHookHandler;
      const guard = [limit, refuseOtherOrigins(new URL(options.publicUrl).origin)];
      for (const key of Object.keys(handlers) as RouteKey[]) addRoute(scope, key, handlers, guard, options);
      options.also?.(scope, guard);
    },
    { prefix },
  );
}

/** Answers of the api are data: nothing in them may be shown as a page, framed or run. */
const armour = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  crossOriginResourcePolicy: { policy: 'same-origin' },
  referrerPolicy: { policy: 'no-referrer' },
  xFrameOptions: { action: 'deny' },
} as const;

const handleProtocols = (protocols: Set<string>) =>
  protocols.has(agentSubprotocol) ? agentSubprotocol : false;

type Context = { session: SessionIdentity | null; signal: AbortSignal };
type AnyHandlers = {
  call: (context: object) => Promise<unknown>;
  stream: (context: object) => AsyncIterable<StreamItem<unknown>>;
  socket: (socket: WebSocket, context: object) => void | Promise<void>;
};

function addRoute(
  scope: FastifyInstance,
  key: RouteKey,
  handlers: Partial<Handlers>,
  guard: onRequestAsyncHookHandler[],
  options: MountOptions,
): void {
  const route: RouteSchemas = routes[key];
  // The table pairs each key with its handler's type; seen over all keys at once, that pairing is lost to the compiler.
  const handler: unknown = handlers[key];
  const [method, url] = key.split(' ') as [HTTPMethods, string];
  const sessions = new WeakMap<FastifyRequest, SessionIdentity>();
  const status = route.status ?? 200;

  const checkAccess: onRequestAsyncHookHandler = async (request, reply) => {
    const session = await admit(route, request, reply, options);
    if (session) sessions.set(request, session);
  };
  const begin = (request: FastifyRequest) => {
    const session = sessions.get(request) ?? null;
    const live = options.liveRequests.open(session?.sessionId ?? null);
    return { live, context: contextOf(request, { session, signal: live.signal }) };
  };
  const common = {
    method,
    url: url.slice(prefix.length),
    bodyLimit: bodyLimitBytes,
    exposeHeadRoute: false,
    onRequest: [...guard, checkAccess],
  };
  const input = {
    ...(route.params && { params: route.params }),
    ...(route.query && { querystring: route.query }),
    ...(route.body && { body: route.body }),
  };

  if (route.kind === 'socket') {
    scope.route({
      ...common,
      schema: input,
      preValidation: requireSubprotocol,
      handler: answerNotFound,
      wsHandler(socket, request) {
        const { live, context } = begin(request);
        live.signal.addEventListener('abort', () => socket.close(1008, 'The session has ended.'), {
          once: true,
        });
        socket.once('close', () => {
          live.done();
          live.abort();
        });
        return (handler as AnyHandlers['socket'])(socket, context);
      },
    });
    return;
  }

  scope.route({
    ...common,
    schema: route.kind === 'stream' ? input : { ...input, response: { [status]: route.reply } },
    ...(route.kind === 'stream' && { sse: 'manual' as const }),
    async handler(request, reply) {
      const { live, context } = begin(request);
      reply.raw.once('close', () => {
        live.done();
        live.abort();
      });
      if (route.kind === 'stream') {
        await sendStream(reply, (handler as AnyHandlers['stream'])(context), route.reply, live.signal);
        return;
      }
      return reply.code(status).send(await (handler as AnyHandlers['call'])(context));
    },
  });
}

/** Who asks, where the route needs to know. Throws the Problem of one who may not. */
async function admit(
  route: RouteSchemas,
  request: FastifyRequest,
  reply: FastifyReply,
  options: MountOptions,
): Promise<SessionIdentity | null> {
  if (route.access === 'anyone') return null;
  const found = await options.readSession(request);
  if (!found) throw new ProblemError('not_signed_in', 'You are not signed in.');
  for (const cookie of found.cookies) reply.header('set-cookie', cookie);
  if (route.access === 'owner' && !(await options.isOwner(found.session.userId))) {
    throw new ProblemError('not_allowed', 'Only the owner of this console may see this.');
  }
  return found.session;
}

const requireSubprotocol = async (request: FastifyRequest) => {
  if (!request.ws) throw new ProblemError('not_found', 'There is a WebSocket at this address, nothing else.');
  const offered = request.headers['sec-websocket-protocol']?.split(',').map((name) => name.trim());
  if (!offered?.includes(agentSubprotocol)) {
    throw new ProblemError('invalid_input', `Offer the subprotocol ${agentSubprotocol}.`);
  }
};

function contextOf(request: FastifyRequest, { session, signal }: Context): object {
  const lastEventId = request.headers['last-event-id'];
  return {
    params: request.params,
    query: request.query,
    body: request.body,
    session,
    signal,
    address: request.ip,
    lastEventId: typeof lastEventId === 'string' && lastEventId.length <= 4_000 ? lastEventId : null,
  };
}
