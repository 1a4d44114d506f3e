import type { z } from 'zod';

/**
 * Who may call a route. `anyone`: also signed-out visitors. `signed-in`: each person, for their own things only.
 * `owner`: the first account of this console. `agent`: a server's own token, never a session.
 */
export type Access = 'anyone' | 'signed-in' | 'owner' | 'agent';

export type RouteSchemas = {
  access: Access;
  summary: string;
  /**
   * The route makes a way in that lasts. It answers `confirmation_required` to a session whose person has not proved who they are within
   * `confirmedMinutes`.
   */
  confirm?: true;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  reply: z.ZodType;
  /**
   * The status of a good answer if it is not 200: 202 for work that goes on as an operation, 201 for a new
   * record.
   */
  status?: 201 | 202 | 204;
  /**
   * `stream`: server-sent events, or a subscription of `GET /api/live`; `reply` is the data of one event.
   * `exchange`: a subscription of `GET /api/live` alone, whose page also sends messages (`fromCaller`). No address over HTTP opens it.
   * `socket`: a WebSocket upgrade; `reply` is one message of the console.
   * `download`: the answer is a file; one that breaks off is known by its announced length, or by its missing last chunk. `reply` is never sent.
   * `upload`: the request is `application/octet-stream` of a declared length, and its bytes pass through; `body` is absent.
   */
  kind?: 'stream' | 'exchange' | 'socket' | 'download' | 'upload';
  /** For an upload, or for a body that may be longer than others: a longer one is refused before it is read. */
  atMostBytes?: number;
  /**
   * For a socket: the subprotocol that the caller has to offer at the upgrade. For a socket and an exchange: one message of the caller.
   */
  subprotocol?: string;
  fromCaller?: z.ZodType;
};

export type RouteTable = Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`, RouteSchemas>;

type Input<S> = S extends z.ZodType ? z.input<S> : undefined;
type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;
type Part<R, K extends string> = R extends Record<K, infer S> ? S : undefined;

/** The input of a route’s caller: only the parts that the route names. */
export type InputOf<R> = (Part<R, 'params'> extends undefined
  ? unknown
  : { params: Input<Part<R, 'params'>> }) &
  (Part<R, 'query'> extends undefined ? unknown : { query?: Input<Part<R, 'query'>> }) &
  (Part<R, 'body'> extends undefined ? unknown : { body: Input<Part<R, 'body'>> });

/** The input of a route’s handler, checked and with defaults filled in. */
export type ParsedOf<R> = {
  params: Parsed<Part<R, 'params'>>;
  query: Parsed<Part<R, 'query'>>;
  body: Parsed<Part<R, 'body'>>;
};

/** The answer as a caller reads it. */
export type ReplyOf<R> = R extends { reply: infer S extends z.ZodType } ? z.output<S> : never;
