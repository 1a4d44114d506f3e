import type { InputOf, ReplyOf } from '@homeport/contract/route';
import type { Routes as ApiRoutes, StreamKey } from '@homeport/contract/routes';
import type { SessionIdentity } from '@homeport/contract/services';
import type { monitorRoutes } from '@homeport/contract/stats/schema';
import type { CallSubject } from '../http/note-call.ts';

type Routes = ApiRoutes & typeof monitorRoutes;
export type ReadKey = Exclude<Extract<keyof Routes, `GET ${string}`>, StreamKey>;

/** What a tool may send. It runs nothing: a person decides. */
export type SendKey = 'POST /api/proposals' | 'POST /api/proposals/:id/withdraw';

/** What names a record in a route's path, and the query. */
type Input = { path?: Record<string, string>; query?: Record<string, string> };

/** Whoever calls a tool: one request of one token. A tool reaches nothing but what the token reaches. */
export type Caller = {
  session: SessionIdentity;
  scopes: readonly string[];
  /**
   * Reads a route of the table with the caller's own token. The route has checked its answer.
   *
   * @throws ProblemError as the route answers
   */
  read<K extends ReadKey>(key: K, input?: Input): Promise<ReplyOf<Routes[K]>>;
  /**
   * Calls a route that keeps or takes back a proposal, with the caller's own token.
   *
   * @throws ProblemError as the route answers
   */
  send<K extends SendKey>(key: K, input: InputOf<ApiRoutes[K]>): Promise<ReplyOf<ApiRoutes[K]>>;
  /**
   * Follows a stream of the table, after the event of this id; null begins now. It ends with the request, at the latest.
   */
  follow<K extends StreamKey>(
    key: K,
    params: Record<string, string>,
    from: { after: string | null; signal: AbortSignal },
  ): Promise<AsyncIterable<ReplyOf<ApiRoutes[K]>>>;
  /** Says which record of the person the call is about, for the history of the token. */
  concerns: (kind: CallSubject['kind'], id: string) => void;
  /** Epoch milliseconds. */
  now: () => number;
  /** Aborts when the caller is gone. */
  signal: AbortSignal;
};
