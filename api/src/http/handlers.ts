import type { WebSocket } from '@fastify/websocket';
import type { CallOutcome } from '@homeport/contract/program-calls/facts';
import type {
  ExchangeKey,
  MessageTo,
  RouteKey,
  RouteOutput,
  RouteParsed,
  Routes,
} from '@homeport/contract/routes';
import type { SessionIdentity } from '@homeport/contract/services';
import type { FileAnswer } from './file-answer.ts';
import type { Upload } from './upload.ts';

/** A handler's context: the checked input, the caller, and the signal to stop. */
export type HandlerContext<K extends RouteKey> = RouteParsed<K> & {
  session: Routes[K]['access'] extends 'signed-in' | 'owner' ? SessionIdentity : null;
  /** Aborts when the caller is gone, the session has ended or the console stops. */
  signal: AbortSignal;
  /** The caller's IP address. */
  address: string;
  /** The id of the last event that a reconnecting reader of a stream has seen. */
  lastEventId: string | null;
};

/**
 * One event of a stream; null only opens the stream. The answer starts with the first item, so an error
 * before that item is an ordinary error with its status. A stream that may stay silent for long therefore
 * yields null as soon as it knows that it can go on.
 */
export type StreamItem<T> = { id?: string; data: T } | null;
export type StreamOf<K extends RouteKey> = AsyncIterable<StreamItem<RouteOutput<K>>>;

/** Calls the listener with each message of the page, from the moment when the stream's first item is pulled. */
export type Hear<M> = (listener: (message: M) => void) => void;

export type Handler<K extends RouteKey> = Routes[K] extends { kind: 'stream' }
  ? (context: HandlerContext<K>) => StreamOf<K>
  : K extends ExchangeKey
    ? (context: HandlerContext<K> & { hear: Hear<MessageTo<K>> }) => StreamOf<K>
    : Routes[K] extends { kind: 'socket' }
      ? /**
         * Adds its listeners before its first await, because messages arrive from the next tick on. It may say how the call stands among
         * those of a program. Nothing and null: the call is not noted.
         */
        (socket: WebSocket, context: HandlerContext<K>) => void | Promise<void> | Promise<CallOutcome | null>
      : Routes[K] extends { kind: 'download' }
        ? (context: HandlerContext<K>) => Promise<FileAnswer>
        : Routes[K] extends { kind: 'upload' }
          ? (context: HandlerContext<K> & { upload: Upload }) => Promise<RouteOutput<K>>
          : (context: HandlerContext<K>) => Promise<RouteOutput<K>>;

export type Handlers = { [K in RouteKey]: Handler<K> };
