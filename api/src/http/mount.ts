import type { IncomingMessage } from 'node:http';
import { fastifySSE } from '@fastify/sse';
import { fastifyWebsocket, type WebSocket } from '@fastify/websocket';
import { agentMessageBytes } from '@homeport/contract/connections/facts';
import { ceilings, transfersPerPerson } from '@homeport/contract/limits';
import { eventIdCharacters, liveMessageBytes } from '@homeport/contract/live/facts';
import type { CallOutcome } from '@homeport/contract/program-calls/facts';
import type { RouteSchemas } from '@homeport/contract/route';
import { type RouteKey, routes } from '@homeport/contract/routes';
import type { SessionIdentity } from '@homeport/contract/services';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
  onRequestAsyncHookHandler,
  RouteOptions,
} from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { checkAccess } from './access.ts';
import { answerNotFound } from './error-answer.ts';
import { type FileAnswer, headersOf, openFile } from './file-answer.ts';
import { type GuardOptions, guardScope } from './guard.ts';
import type { Handlers, StreamItem } from './handlers.ts';
import { type LiveRequests, sessionEnded } from './live-requests.ts';
import { bodyLimitBytes } from './log.ts';
import { createCallNotes, type NoteCall } from './note-call.ts';
import { ProblemError } from './problem.ts';
import { createSeats, type Seats } from './seats.ts';
import { sendStream } from './send-stream.ts';
import { checkTokenScope, inWordsForTokens, sessionForHandler, type TokenCall } from './token-access.ts';
import { cutIfSendingGoesOn, leaveBodiesUnread, type Upload, uploadOf } from './upload.ts';
import { validatorCompiler } from './validation.ts';

/** Checks the cookie of a request. `cookies` are the Set-Cookie lines of a prolonged session. */
export type ReadSession = (
  request: FastifyRequest,
) => Promise<{ session: SessionIdentity; cookies: string[] } | null>;

export type MountOptions = GuardOptions & {
  readSession: ReadSession;
  isOwner(userId: string): Promise<boolean>;
  /** Throws the Problem for a session whose person has to prove first who they are. */
  requireConfirmed(session: SessionIdentity): Promise<void>;
  liveRequests: LiveRequests;
  /** Adds further routes below /api with the same protection. */
  also?: (scope: FastifyInstance, guard: onRequestAsyncHookHandler[]) => void;
  /** Hears of the calls of programs that may change something. */
  noteCall?: NoteCall;
  /** How many event streams one person may read at once. */
  streamsPerPerson?: number;
};

/** Requests of programs with an API token. */
const tokenCalls = new WeakMap<FastifyRequest, TokenCall>();

const heartbeatMs = 15_000;
const socketMessageBytes = Math.max(agentMessageBytes, liveMessageBytes);
const prefix = '/api';

/** Registers every route of the table that has a handler, behind its checks, below /api. */
export async function mount(
  fastify: FastifyInstance,
  handlers: Partial<Handlers>,
  options: MountOptions,
): Promise<void> {
  await fastify.register(
    async (scope) => {
      const guard = await guardScope(scope, options, (error, request) => {
        const call = tokenCalls.get(request);
        return call ? inWordsForTokens(error, call) : error;
      });
      await scope.register(fastifySSE, { heartbeatInterval: heartbeatMs });
      await scope.register(fastifyWebsocket, {
        options: { maxPayload: socketMessageBytes, handleProtocols },
      });
      scope.setNotFoundHandler(answerNotFound);
      scope.setValidatorCompiler(validatorCompiler);
      scope.setSerializerCompiler(serializerCompiler);
      scope.addHook('preClose', async () => {
        options.liveRequests.endAll();
        // Gives the streams one pass of the event loop to end their answers before the server cuts its
        // connections.
        await new Promise((resolve) => setImmediate(resolve));
      });
      const most = options.streamsPerPerson ?? ceilings.streams;
      const streams = { most, seats: createSeats(most) };
      const transfers = createSeats(transfersPerPerson);
      const notes = createCallNotes(options.noteCall ?? (() => {}));
      // Runs for an answer that nobody waits for any more, too: a program that hangs up is noted as every other.
      scope.addHook('onSend', async (request, reply) => notes.end(request, reply.statusCode));
      for (const key of Object.keys(handlers) as RouteKey[])
        addRoute(scope, key, handlers, guard, { ...options, streams, transfers, notes });
      options.also?.(scope, guard);
    },
    { prefix },
  );
}

/**
 * The subprotocol of each upgrade's route. The WebSocket library asks for the subprotocol without naming the
 * route.
 */
const subprotocols = new WeakMap<IncomingMessage, string>();
const handleProtocols = (_offered: Set<string>, request: IncomingMessage) =>
  subprotocols.get(request) ?? false;

type Context = { session: SessionIdentity | null; signal: AbortSignal };
type AnyHandlers = {
  call: (context: object) => Promise<unknown>;
  stream: (context: object) => AsyncIterable<StreamItem<unknown>>;
  socket: (socket: WebSocket, context: object) => void | Promise<void> | Promise<CallOutcome | null>;
  download: (context: object) => Promise<FileAnswer>;
  upload: (context: object & { upload: Upload }) => Promise<unknown>;
};

function addRoute(
  scope: FastifyInstance,
  key: RouteKey,
  handlers: Partial<Handlers>,
  guard: onRequestAsyncHookHandler[],
  options: MountOptions & {
    streams: { most: number; seats: Seats };
    transfers: Seats;
    notes: ReturnType<typeof createCallNotes>;
  },
): void {
  const route: RouteSchemas = routes[key];
  // The table pairs each key with its handler's type. The compiler loses that pairing over all keys at once.
  const handler: unknown = handlers[key];
  const [method, url] = key.split(' ') as [HTTPMethods, string];
  const sessions = new WeakMap<FastifyRequest, SessionIdentity>();
  const status = route.status ?? 200;

  const admitCaller: onRequestAsyncHookHandler = async (request, reply) => {
    const session = await admit(key, route, request, reply, options);
    if (session) sessions.set(request, session);
  };
  const begin = (request: FastifyRequest) => {
    const caller = sessions.get(request) ?? null;
    const session = caller && sessionForHandler(key, caller, request);
    const live = options.liveRequests.open(caller?.sessionId ?? null);
    return { live, context: contextOf(request, { session, signal: live.signal }) };
  };
  /** As `begin`, and ends with the answer. */
  const beginCall = (request: FastifyRequest, reply: FastifyReply) => {
    const { live, context } = begin(request);
    reply.raw.once('close', () => {
      live.done();
      live.abort();
    });
    return { live, context };
  };
  const common = {
    method,
    url: url.slice(prefix.length),
    bodyLimit: route.kind === undefined ? (route.atMostBytes ?? bodyLimitBytes) : bodyLimitBytes,
    exposeHeadRoute: false,
    onRequest: [...guard, admitCaller],
  };
  const input = inputOf(route);

  const sendsBytes = route.kind === 'stream' || route.kind === 'download';
  const answering = sendsBytes ? input : { ...input, response: { [status]: route.reply } };

  if (route.kind === 'exchange') {
    // A link or a form of another page must not be able to open one.
    scope.route({ ...common, handler: answerNotFound });
    return;
  }

  if (route.kind === 'socket') {
    scope.route({
      ...common,
      schema: input,
      preValidation: requireSubprotocol(route.subprotocol),
      handler: answerNotFound,
      wsHandler(socket, request) {
        const { live, context } = begin(request);
        live.signal.addEventListener('abort', () => endSocket(socket, live.signal.reason), { once: true });
        socket.once('close', () => {
          live.done();
          live.abort();
        });
        const end = (outcome: CallOutcome | null) => options.notes.endSocket(request, outcome);
        return Promise.resolve((handler as AnyHandlers['socket'])(socket, context)).then(
          (outcome) => end(outcome ?? null),
          (error: unknown) => {
            end('failed');
            throw error;
          },
        );
      },
    });
    return;
  }

  if (route.kind === 'download' || route.kind === 'upload') {
    addTransfer(scope, { ...common, schema: answering }, route, async (request, reply) => {
      const leave = options.transfers.take(sessions.get(request)?.userId ?? '');
      if (!leave) throw tooManyTransfers();
      reply.raw.once('close', leave);
      const { context } = beginCall(request, reply);
      if (route.kind === 'upload') {
        const upload = uploadOf(request, route.atMostBytes ?? bodyLimitBytes);
        return reply.code(status).send(await (handler as AnyHandlers['upload'])({ ...context, upload }));
      }
      const file = await (handler as AnyHandlers['download'])(context);
      const stream = await openFile(file);
      return reply.headers(headersOf(file)).send(stream);
    });
    return;
  }

  scope.route({
    ...common,
    schema: answering,
    ...(route.kind === 'stream' && { sse: 'manual' as const }),
    async handler(request, reply) {
      const leave = route.kind === 'stream' && takeStream(options.streams, sessions.get(request));
      if (leave) reply.raw.once('close', leave);
      const { live, context } = beginCall(request, reply);
      if (route.kind === 'stream') {
        const stream = (handler as AnyHandlers['stream'])(context);
        const person = sessions.get(request)?.userId ?? '';
        await sendStream(reply, stream, { schema: route.reply, signal: live.signal, person });
        return;
      }
      const answer = await (handler as AnyHandlers['call'])(context);
      options.notes.answered(request, answer);
      return reply.code(status).send(answer);
    },
  });
}

function takeStream(
  { most, seats }: { most: number; seats: Seats },
  session: SessionIdentity | undefined,
): (() => void) | null {
  if (!session) return null;
  const leave = seats.take(session.userId);
  if (leave) return leave;
  throw new ProblemError(
    'limit_reached',
    `You read ${most} event streams at once, which is the most for one account. This one was not opened; the others go on.`,
    { recovery: 'Close a page or a program that reads one, then try again.' },
  );
}

const inputOf = ({ params, query, body }: RouteSchemas) => ({
  ...(params && { params }),
  ...(query && { querystring: query }),
  ...(body && { body }),
});

/** An upload has a scope of its own, because its body is not parsed. */
function addTransfer(
  scope: FastifyInstance,
  common: Omit<RouteOptions, 'handler'>,
  { kind }: Pick<RouteSchemas, 'kind'>,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
): void {
  if (kind === 'download') {
    scope.route({ ...common, handler });
    return;
  }
  scope.register(async (own) => {
    leaveBodiesUnread(own);
    own.route({
      ...common,
      handler(request, reply) {
        cutIfSendingGoesOn(request, reply);
        return handler(request, reply);
      },
    });
  });
}

const tooManyTransfers = () =>
  new ProblemError(
    'limit_reached',
    `You send or fetch ${transfersPerPerson} files at once, which is the most for one account. This one was not begun; the others go on.`,
    { recovery: 'Wait until one of them has ended, then try again.' },
  );

/**
 * Returns the caller's session if the route needs one. Throws the Problem for a caller who may not call the
 * route.
 */
async function admit(
  key: RouteKey,
  route: RouteSchemas,
  request: FastifyRequest,
  reply: FastifyReply,
  options: MountOptions & { notes: ReturnType<typeof createCallNotes> },
): Promise<SessionIdentity | null> {
  if (route.access === 'anyone') return null;
  const found = await options.readSession(request);
  for (const cookie of found?.cookies ?? []) reply.header('set-cookie', cookie);
  if (found?.session.scopes) {
    tokenCalls.set(request, { key, session: found.session });
    options.notes.begin(request, key, found.session);
  }
  checkTokenScope(key, route, found?.session ?? null, request);
  if (found) sessionForHandler(key, found.session, request);
  await checkAccess(route, found?.session ?? null, options.isOwner);
  if (route.confirm && found) await options.requireConfirmed(found.session);
  return found?.session ?? null;
}

const requireSubprotocol = (subprotocol: string | undefined) => async (request: FastifyRequest) => {
  if (!request.ws) throw new ProblemError('not_found', 'This address accepts WebSockets only.');
  if (subprotocol === undefined) return;
  const offered = request.headers['sec-websocket-protocol']?.split(',').map((name) => name.trim());
  if (!offered?.includes(subprotocol)) {
    throw new ProblemError('invalid_input', `Offer the subprotocol ${subprotocol}.`);
  }
  subprotocols.set(request.raw, subprotocol);
};

/** The console waits for no longer than this for a page to answer the closing handshake. */
const closingMs = 2_000;

/**
 * Closes a socket from the console's side. 1008: the session behind it has ended; 1001: the console stops
 * (RFC 6455, 7.4.1).
 */
function endSocket(socket: WebSocket, reason: unknown): void {
  if (reason === sessionEnded) socket.close(1008, 'The session has ended.');
  else socket.close(1001);
  setTimeout(() => socket.terminate(), closingMs).unref();
}

function contextOf(request: FastifyRequest, { session, signal }: Context): object {
  const lastEventId = request.headers['last-event-id'];
  return {
    params: request.params,
    query: request.query,
    body: request.body,
    session,
    signal,
    address: request.ip,
    lastEventId:
      typeof lastEventId === 'string' && lastEventId.length <= eventIdCharacters ? lastEventId : null,
  };
}
