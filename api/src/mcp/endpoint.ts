import { safeJson } from '@homeport/contract/fields/safe-json';
import { mcpLimits, mcpPace, mcpPath } from '@homeport/contract/mcp/facts';
import type { SessionIdentity } from '@homeport/contract/services';
import { rulesOfKind } from '@homeport/contract/tokens/facts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createAdmission, type Pace } from '../http/admission.ts';
import { problemToTell } from '../http/error-answer.ts';
import { type GuardOptions, guardScope } from '../http/guard.ts';
import type { StreamItem } from '../http/handlers.ts';
import { type LiveRequests, sessionEnded } from '../http/live-requests.ts';
import type { ReadSession } from '../http/mount.ts';
import { type CallSubject, type NoteCall, outcomeOf } from '../http/note-call.ts';
import type { OpenStream } from '../http/open-stream.ts';
import { ProblemError } from '../http/problem.ts';
import { createSeats } from '../http/seats.ts';
import { bearerOf } from '../http/token-access.ts';
import { routeCaller } from './call-route.ts';
import type { Caller } from './caller.ts';

type McpOptions = GuardOptions & {
  readSession: ReadSession;
  openStream: OpenStream;
  liveRequests: LiveRequests;
  version: string;
  /** Hears of each call of a tool. */
  noteCall: NoteCall;
  clock: () => number;
  /** How fast one person's calls go through; by default as the console promises. */
  toolPace?: Pace | undefined;
};

/** A caller, and what its call is about once the tool has found the record. */
type NotedCaller = Caller & { subject: () => CallSubject | null };

type Identified = SessionIdentity & { scopes: readonly string[] };

/** Adds the address at which coding agents call tools: one message of the Model Context Protocol for each request, with an API token. */
export async function mountMcp(fastify: FastifyInstance, options: McpOptions): Promise<void> {
  await fastify.register(async (scope) => {
    const guard = await guardScope(scope, options);
    // RFC 6750, 3.
    scope.addHook('onSend', async (_request, reply) => {
      if (reply.statusCode === 401) reply.header('www-authenticate', 'Bearer');
    });
    const pace = createAdmission(options.toolPace ?? mcpPace);
    const seats = createSeats(mcpLimits.atOnce);
    const callers = new WeakMap<FastifyRequest, Identified>();

    const admit = async (request: FastifyRequest) => {
      const session = await identify(request, options.readSession);
      await pace.admit(session.userId);
      callers.set(request, session);
    };

    const answerCall = async (request: FastifyRequest, reply: FastifyReply) => {
      const session = callers.get(request);
      if (!session) throw notSignedIn();
      refuseNoMessage(request.body);
      const leave = seats.take(session.userId);
      if (!leave) throw tooManyAtOnce();
      const live = options.liveRequests.open(session.sessionId);
      reply.raw.once('close', live.abort);
      try {
        const caller = callerOf(fastify, options, { request, session, signal: live.signal });
        const { status, type, text } = await orEnd(answer(request, caller, options), live.signal);
        if (type !== null) reply.type(type);
        return await reply.code(status).send(text);
      } finally {
        live.done();
        leave();
      }
    };

    const limits = { bodyLimit: mcpLimits.requestBytes };
    scope.post('/mcp', { ...limits, onRequest: [...guard, admit] }, answerCall);

    // A session of the protocol, which these would read and end, does not exist here.
    scope.route({
      method: ['GET', 'DELETE'],
      url: mcpPath,
      exposeHeadRoute: false,
      onRequest: guard,
      handler: (_request, reply) => reply.code(405).header('allow', 'POST').send(),
    });
  });
}

/** @throws ProblemError unless the request carries a token that may call tools. A cookie names nobody here. */
async function identify(request: FastifyRequest, readSession: ReadSession): Promise<Identified> {
  const session = bearerOf(request) === null ? null : (await readSession(request))?.session;
  if (!session?.kind || !session.scopes) {
    throw notSignedIn();
  }
  if (!rulesOfKind[session.kind].tools)
    throw new ProblemError('not_allowed', 'The token of a terminal calls no tools.', { recovery: makeToken });
  return { ...session, scopes: session.scopes };
}

const makeToken = 'Make a token for a coding agent under Programs of your profile, and send that one.';

const notSignedIn = () =>
  new ProblemError('not_signed_in', 'Send an API token as `Authorization: Bearer`.', { recovery: makeToken });

const hasEnded = () => new ProblemError('unavailable', 'The console ended this request.');

const tooManyAtOnce = () =>
  new ProblemError(
    'too_many',
    `${mcpLimits.atOnce} calls of your tokens are under way, which is the most for one account.`,
    { retryAfterSeconds: 1 },
  );

/** One message a request, as the protocol has it since 2025-06-18: a batch would be many calls at the price of one. */
function refuseNoMessage(body: unknown): void {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return;
  throw new ProblemError('invalid_input', 'Send one JSON-RPC message.');
}

function callerOf(
  fastify: FastifyInstance,
  { openStream, clock }: McpOptions,
  { request, session, signal }: { request: FastifyRequest; session: Identified; signal: AbortSignal },
): NotedCaller {
  const { ip: address } = request;
  const { authorization = '' } = request.headers;
  let subject: CallSubject | null = null;
  return {
    ...{ session, scopes: session.scopes, now: clock, signal, subject: () => subject },
    concerns: (kind, id) => {
      subject = { kind, id };
    },
    ...routeCaller(fastify, { authorization, address, signal }),
    async follow(key, params, { after, signal: ended }) {
      const asked = { route: key, params, query: {}, after };
      const { stream, reply } = await openStream(asked, {
        ...{ session, address },
        signal: AbortSignal.any([signal, ended]),
      });
      const items = stream[Symbol.asyncIterator]();
      // A stream hears from its first item on. Whatever the tool reads next is then older than its events.
      const first = await items.next();
      // The table pairs each key with its events. The compiler loses that pairing over all keys at once.
      return eventsOf(first, items, reply) as AsyncIterable<never>;
    },
  };
}

type Items = AsyncIterator<StreamItem<unknown>>;

/** The data of a stream whose first item was pulled. It ends with its reader, also before the reader's first event. */
function eventsOf(
  first: IteratorResult<StreamItem<unknown>>,
  items: Items,
  reply: Awaited<ReturnType<OpenStream>>['reply'],
): AsyncIterable<unknown> {
  let pulled: typeof first | null = first;
  const next = async (): Promise<IteratorResult<unknown>> => {
    for (;;) {
      const item: typeof first = pulled ?? (await items.next());
      pulled = null;
      if (item.done) return { done: true, value: undefined };
      if (item.value) return { done: false, value: reply.parse(item.value.data) };
    }
  };
  const end = async (): Promise<IteratorResult<unknown>> => {
    await items.return?.();
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) };
}

type Answered = { status: number; type: string | null; text: string };

/** The program of the protocol is loaded with the first message: most consoles never need it. */
async function answer(
  request: FastifyRequest,
  caller: NotedCaller,
  { version, publicUrl, noteCall }: McpOptions,
): Promise<Answered> {
  const { serve } = await import('./serve.ts');
  const response = await serve({
    request: new Request(new URL(mcpPath, publicUrl), { method: 'POST', headers: headersOf(request) }),
    body: request.body,
    caller,
    version,
    called: (call, status) =>
      noteCall({
        ...{ session: caller.session, call, subject: caller.subject() },
        ...{ outcome: outcomeOf(status), address: request.ip },
      }),
    problemOf: (error) =>
      caller.signal.aborted ? hasEnded() : problemToTell(error, request.log, request.id),
  });
  const { status, headers } = response;
  return { status, type: headers.get('content-type'), text: safeJson(await response.text()) };
}

/** What the protocol reads of the head. The token is not among it. */
function headersOf({ headers }: FastifyRequest): Headers {
  const some = Object.entries(headers).filter(
    ([name]) => name === 'accept' || name === 'content-type' || name.startsWith('mcp-'),
  );
  return new Headers(some.map(([name, value]): [string, string] => [name, String(value)]));
}

/** The work, or the end of the request: its caller is gone, its token has ended, or the console stops. */
function orEnd<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const ended = new Promise<never>((_resolve, reject) => {
    // A client that is told 401 takes its token for revoked and gives up, so only that is told so.
    const end = () => reject(signal.reason === sessionEnded ? notSignedIn() : hasEnded());
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
  return Promise.race([work, ended]);
}
