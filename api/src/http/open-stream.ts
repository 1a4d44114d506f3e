import { eventIdCharacters } from '@homeport/contract/live/facts';
import type { RouteSchemas } from '@homeport/contract/route';
import { type ExchangeKey, routes, type StreamKey } from '@homeport/contract/routes';
import type { SessionIdentity } from '@homeport/contract/services';
import { checkAccess } from './access.ts';
import type { Admission } from './admission.ts';
import type { Handlers, StreamItem } from './handlers.ts';
import { ProblemError } from './problem.ts';
import { checkTokenScope } from './token-access.ts';
import { checkInput } from './validation.ts';

export type AskedStream = {
  route: string;
  params: Record<string, string>;
  query: Record<string, string>;
  after: string | null;
};

/** A stream's items, and the schema of each item's data. */
export type OpenedStream = {
  stream: AsyncIterable<StreamItem<unknown>>;
  reply: RouteSchemas['reply'];
  /** Hands a message of the page to the exchange. False: the message does not fit, or the stream takes none. */
  say: (message: unknown) => boolean;
};

export type OpenStream = (
  asked: AskedStream,
  caller: { session: SessionIdentity; address: string; signal: AbortSignal },
) => Promise<OpenedStream>;

type StreamHandlers = Pick<Handlers, StreamKey | ExchangeKey>;

/**
 * Opens any stream or exchange of the table for a caller who does not come over HTTP. The route's own checks and
 * handler decide who may call it, which input it takes, and whose data it reads.
 */
export function createOpenStream(
  handlers: () => Partial<StreamHandlers>,
  isOwner: (userId: string) => Promise<boolean>,
  admission: Admission,
): OpenStream {
  return async ({ route: key, params, query, after }, { session, address, signal }) => {
    const route = streamRoute(key);
    // The table pairs each key with its handler's type. The compiler loses that pairing over all keys at
    // once.
    const handler: unknown = handlers()[key as StreamKey | ExchangeKey];
    if (!route || !handler) throw new ProblemError('not_found', 'There is no such stream.');
    await admission.admit(session.userId);
    signal.throwIfAborted();
    checkTokenScope(key, route, session, { headers: {} });
    await checkAccess(route, session, isOwner);
    const listeners: ((message: unknown) => void)[] = [];
    const context = {
      hear: (listener: (message: unknown) => void) => void listeners.push(listener),
      params: parse(route.params, params, 'params'),
      query: parse(route.query, query, 'querystring'),
      body: undefined,
      session,
      signal,
      address,
      lastEventId: after !== null && after.length <= eventIdCharacters ? after : null,
    };
    const stream = (handler as (context: object) => AsyncIterable<StreamItem<unknown>>)(context);
    const say = (message: unknown) => {
      const read = route.fromCaller?.safeParse(message);
      if (!read?.success) return false;
      for (const listener of listeners) listener(read.data);
      return true;
    };
    return { stream, reply: route.reply, say };
  };
}

function streamRoute(key: string): RouteSchemas | null {
  const route: RouteSchemas | undefined = Object.hasOwn(routes, key) ? routes[key as StreamKey] : undefined;
  return route?.kind === 'stream' || route?.kind === 'exchange' ? route : null;
}

function parse(schema: RouteSchemas['params'], input: object, part: 'params' | 'querystring'): unknown {
  if (!schema) return input;
  const checked = checkInput(schema, input, part);
  if (checked.error) throw checked.error;
  return checked.value;
}
